/** Decides which jobs of the last owner a new owner resumes. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { ConnectionName } from '../../shared/model/models.ts';
import type { State } from '../../shared/workspace/state.ts';
import { failureAsked } from '../approval/about.ts';
import { connectionsUsed } from '../money/price/connectionsUsed.ts';
import { isFinal, JOB } from '../state/machines.ts';
import { nextAction } from './nextAction.ts';

/** Jobs that can run without an answer. A paused job needs a person to resume it. `now` is epoch milliseconds. */
export function jobsToResume(state: State, now: number): readonly string[] {
  return [...state.jobs.values()]
    .filter(({ id, status }) => {
      if (status === 'paused' || isFinal(JOB, status)) return false;
      return nextAction(state, id, now).do !== 'await';
    })
    .map(({ id }) => id);
}

/** Pending questions of jobs and conversations that were asked because an owner had no credential for one of their connections. */
export function askedForKey(
  state: State,
  hasCredential: (connection: ConnectionName) => boolean,
): readonly ApprovalRow[] {
  return [...state.approvals.values()].filter((row) => {
    if (row.status !== 'pending' || row.task_id !== null || failureAsked(row) !== 'KEY_MISSING') return false;
    const used = connectionsUsed(state, row);
    return used.length > 0 && used.every(hasCredential);
  });
}
