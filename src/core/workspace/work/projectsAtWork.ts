/** Decides whether a project has work when its workspace is opened: a pending reply, or a heartbeat. */

import type { State } from '../../../shared/workspace/state.ts';
import { unfinishedConversations } from '../../project/conversations.ts';

export function hasProjectAtWork(state: State): boolean {
  const unfinished = unfinishedConversations(state);
  return [...state.projects.values()].some(
    ({ id, status, parked, heartbeat }) =>
      status === 'active' && parked === null && (heartbeat !== null || unfinished.has(id)),
  );
}
