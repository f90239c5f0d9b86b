/** The scenarios, in the order in which they run. */
import type { Scenario } from '../support/world.ts';
import { reload } from './reload.ts';

export const SCENARIOS: readonly Scenario[] = [...reload];
