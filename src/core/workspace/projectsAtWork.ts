/** Whether a project goes on by itself when its workspace is opened: something waits for an answer of its own, or it looks around now and then. */

import type { State } from '../../shared/workspace/state.ts';
import { unfinishedConversations } from '../project/conversations.ts';

export function hasProjectAtWork(state: State): boolean {
  const unfinished = unfinishedConversations(state);
  return [...state.projects.values()].some(
    ({ id, status, parked, heartbeat }) =>
      status === 'active' && parked === null && (heartbeat !== null || unfinished.has(id)),
  );
}
