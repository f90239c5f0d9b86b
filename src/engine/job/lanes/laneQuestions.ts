/** Asks the steward from a lane while other lanes may work: a question is asked once, and holds the whole job only if nothing else runs. */
import { askedOf } from '../../../core/approval/about.ts';
import { lanesOf } from '../../../core/job/lanes.ts';
import { jobApprovals, need, openAttempt } from '../../../core/state/rows.ts';
import type { NewApproval } from '../../../shared/approval.ts';
import type { JobContext } from '../context.ts';

type Lane = Pick<JobContext, 'store' | 'jobId' | 'lane'>;

/** The feature that a question about a command is bound to. With one lane, such a question is about the whole job. */
export function featureOfLane({ store, jobId, lane }: Lane): number | null {
  if (lanesOf(need(store.state, 'jobs', jobId)) === 1) return null;
  return openAttempt(store.state, jobId, lane)?.feature_id ?? null;
}

/** A question about the whole job that another lane asked already is not asked again. */
export async function askOnce(context: Lane, approval: NewApproval): Promise<void> {
  const { store, jobId } = context;
  const isSame = causeOf(approval);
  const isAsked = jobApprovals(store.state, jobId).some((row) => row.status === 'pending' && causeOf(row) === isSame);
  if (!isAsked) await store.commit({ type: 'approval_requested', approval });
}

/** Marks the job as waiting for the steward. With several lanes, its loop does this when no lane works. */
export async function awaitAnswer({ store, jobId }: Lane, reason: string): Promise<void> {
  if (lanesOf(need(store.state, 'jobs', jobId)) === 1)
    await store.commit({ type: 'job_awaiting', job_id: jobId, reason });
}

/** Two questions have the same cause if they differ in their id alone. */
function causeOf(row: Pick<NewApproval, 'kind' | 'subject' | 'feature_id'>): string {
  const { id: _, ...about } = { id: 0, ...askedOf(row) };
  return JSON.stringify([row.kind, row.feature_id, about]);
}
