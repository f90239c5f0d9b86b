/** Decides which accepted attempt is merged into the job's branch next. One is merged at a time, in the order in which they passed. */
import type { AttemptRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { need, openAttempts } from '../state/rows.ts';

/** Returns from the queue after which an attempt holds the queue: nothing else is merged until it has ended. */
const MAX_RETURNS = 2;

/** The accepted attempts that wait for their merge, in its order. */
export function mergeQueue(state: State, jobId: string): AttemptRow[] {
  return openAttempts(state, jobId)
    .filter((row) => row.status === 'queued')
    .sort((a, b) => Number(isReturnedOften(b)) - Number(isReturnedOften(a)) || compare(a, b));
}

function compare(a: AttemptRow, b: AttemptRow): number {
  const [at, other] = [a.queued_at ?? '', b.queued_at ?? ''];
  return at === other ? a.id - b.id : at < other ? -1 : 1;
}

const isReturnedOften = ({ returns }: AttemptRow): boolean => returns.length >= MAX_RETURNS;

/** The attempt that holds the queue, unless a question to the steward holds that attempt. */
function queueHolder(state: State, jobId: string): AttemptRow | undefined {
  const holder = openAttempts(state, jobId).find((row) => row.status !== 'queued' && isReturnedOften(row));
  return holder === undefined || isAsked(state, holder) ? undefined : holder;
}

function isAsked(state: State, { feature_id }: AttemptRow): boolean {
  for (const row of state.approvals.values())
    if (row.status === 'pending' && row.feature_id === feature_id && feature_id !== null) return true;
  return false;
}

/** The attempt to merge now. Null if there is none, or if the queue is held. */
export function nextMerge(state: State, jobId: string): AttemptRow | null {
  return queueHolder(state, jobId) === undefined ? (mergeQueue(state, jobId)[0] ?? null) : null;
}

/** Whether an attempt that passed counts at once: its commit is on top of the job's branch, and no other is to be merged before it. */
export function needsNoMerge(state: State, attempt: AttemptRow): boolean {
  if (need(state, 'jobs', attempt.job_id).head !== attempt.base_commit) return false;
  const holder = queueHolder(state, attempt.job_id);
  if (holder !== undefined) return holder.id === attempt.id;
  return mergeQueue(state, attempt.job_id).length === 0;
}
