/** The work, by the stored statuses, of an owner that cannot be asked. */
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { unfinishedConversations } from '../../project/conversations.ts';

export function statedWork(state: State): AtWork {
  return { works: true, jobs: [...state.jobs.keys()], turns: [...unfinishedConversations(state)] };
}
