/** Follows a job until it has ended, is paused, or needs an answer that this run cannot get. */
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { jobApprovals, need } from '../../../core/state/rows.ts';
import { findFailure } from '../../../shared/errors.ts';
import { type Answering, type Fate, settle } from '../../approval/settle.ts';

export interface Follow extends Answering {
  readonly jobId: string;
  /** Whether this run filed the job's brief: then it may pause the job, even if another process runs it. */
  readonly filed: boolean;
}

/**
 * `over`: final or paused; `waits`: an answer by the steward is needed; `left`: the job continues in another process; `killed`: the user did not wait
 * for the pause.
 */
export type Ending = 'over' | 'waits' | 'left' | 'killed';

/** Whether a stop pauses the job. A run that only watches leaves it running. */
export function pausesIt({ connection: { engine }, filed }: Pick<Follow, 'connection' | 'filed'>): boolean {
  return filed || engine.owner;
}

export async function followJob(follow: Follow): Promise<Ending> {
  const { connection, jobId, stop } = follow;
  const fates = new Map<number, Fate>();
  const pause = pauser(follow);
  for (;;) {
    const next = stop.bell.next();
    if (stop.times >= 2) return 'killed';
    if (connection.lost !== null) {
      follow.view.say(`The owner went away (${connection.lost}); taking over.`, 'warning');
      await stop.orKilled(connection.reopen());
      pause.forget();
      continue;
    }
    const job = need(connection.state, 'jobs', jobId);
    if (isFinal(JOB, job.status) || job.status === 'paused') return 'over';
    const stranded = connection.stranded(jobId);
    if (stranded !== null && job.status !== 'awaiting_steward') throw stranded;
    if (stop.times > 0) {
      if (!pausesIt(follow)) return 'left';
      pause.begin();
      pause.check();
      await next;
      continue;
    }
    const pending = jobApprovals(connection.state, jobId).filter((row) => row.status === 'pending');
    // A question that blocks the whole job is answered only when the job's status is waiting: an answer must not come first.
    const waits = job.status === 'awaiting_steward';
    const open = pending.find((row) => !fates.has(row.id) && (waits || row.feature_id !== null));
    if (open !== undefined) {
      const fate = await settle(follow, open);
      if (fate === 'leave') return 'waits';
      if (fate !== null) fates.set(open.id, fate);
      continue;
    }
    const left = pending.length > 0 && pending.every((row) => fates.get(row.id) === 'unanswered');
    if (waits && left) return 'waits';
    await next;
  }
}

/** Pauses once, and reports a refusal to the loop unless the job reached that state without the pause. */
function pauser({ connection, jobId, view, stop }: Follow) {
  let begun = false;
  let refused: unknown = null;
  return {
    begin(): void {
      if (begun) return;
      begun = true;
      view.say('Pausing; what was paid for is kept. Once more: exit at once.', 'warning');
      connection.engine.request('pauseJob', { jobId, reason: 'stopped by the user' }).catch((thrown: unknown) => {
        refused = thrown;
        stop.bell.ring();
      });
    },
    /** A new owner does not know about the request. */
    forget(): void {
      begun = false;
      refused = null;
    },
    check(): void {
      if (refused !== null && findFailure(refused)?.code !== 'OWNER_LOST') throw refused;
    },
  };
}
