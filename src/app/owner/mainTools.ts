/** Assembles the main agent's tools in the owner: its requests, and the memory of every project. */

import type { EngineRequests } from '../../engine/job/requests/ports.ts';
import { callMainTool } from '../../engine/main/mainTools.ts';
import type { Engine } from '../../engine/state/api.ts';
import type { Store } from '../../engine/state/store.ts';
import { handleRequest } from '../../engine/workspace/requests.ts';
import type { Clock } from '../../shared/clock.ts';
import { readProjectMemory } from '../open/projectMemory.ts';

export function mainTools(
  { state }: Store,
  requests: EngineRequests,
  clock: Clock,
  stateDir: string,
): (name: string, input: unknown) => Promise<string> {
  const request: Engine['request'] = (name, input) => handleRequest(requests, name, input);
  const readMemory = (project: string, path: string | null) => readProjectMemory(stateDir, project, path);
  return (name, input) => callMainTool({ state, request, clock, readMemory }, name, input);
}
