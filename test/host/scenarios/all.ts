/** The scenarios, in the order in which they run. */
import type { Scenario } from '../support/world.ts';
import { actions } from './actions.ts';
import { folders } from './folders.ts';
import { key } from './key.ts';
import { links } from './links.ts';
import { reload } from './reload.ts';
import { states } from './states.ts';
import { viewers } from './viewers.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...reload,
  ...viewers,
  ...folders,
  ...states,
  ...key,
  ...links,
  ...actions,
];
