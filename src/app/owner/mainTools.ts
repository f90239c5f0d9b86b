/** The main agent's tools in the owner: its wishes, and the memory of every project. */

import type { Wishes } from '../../engine/job/wishes/ports.ts';
import { callMainTool } from '../../engine/main/mainTools.ts';
import type { Engine } from '../../engine/state/api.ts';
import type { Store } from '../../engine/state/store.ts';
import { grant } from '../../engine/workspace/wishes.ts';
import type { Clock } from '../../shared/clock.ts';
import { readProjectMemory } from '../open/projectMemory.ts';

export function mainTools(
  { state }: Store,
  wishes: Wishes,
  clock: Clock,
  stateDir: string,
): (name: string, input: unknown) => Promise<string> {
  const wish: Engine['wish'] = (name, input) => grant(wishes, name, input);
  const readMemory = (project: string, path: string | null) => readProjectMemory(stateDir, project, path);
  return (name, input) => callMainTool({ state, wish, clock, readMemory }, name, input);
}
