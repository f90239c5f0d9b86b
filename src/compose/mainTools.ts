/** The main agent's tools in the owner: its wishes, and the memory of every project. */
import type { Engine } from '../engine/api.ts';
import type { Store } from '../engine/store.ts';
import type { Wishes } from '../engine/wishes/ports.ts';
import { grant } from '../engine/wishes.ts';
import { callMainTool } from '../projects/mainTools.ts';
import type { Clock } from '../shared/clock.ts';
import { readProjectMemory } from './projectMemory.ts';

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
