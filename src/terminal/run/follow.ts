/** Stays with a job until it is over, paused, or waits for somebody who is not here. */
import { isFinal, JOB } from '../../core/machines.ts';
import { jobApprovals, need } from '../../core/rows.ts';
import type { ApprovalRow } from '../../shared/domain.ts';
import { failure, findFailure } from '../../shared/errors.ts';
import { approvalText, howToAnswer } from '../approvalText.ts';
import type { Context } from '../context.ts';
import type { Connection } from './connection.ts';
import type { Steward } from './stewards.ts';
import type { Stop } from './stop.ts';
import type { RunView } from './views.ts';

export interface Follow {
  readonly context: Context;
  readonly connection: Connection;
  readonly jobId: string;
  readonly steward: Steward;
  readonly view: RunView;
  readonly stop: Stop;
}

/** `over`: final or paused; `waits`: for the steward; `killed`: the user does not wait for the pause. */
export type Ending = 'over' | 'waits' | 'killed';

/** What became of a question here: answered, but perhaps not seen in the state yet, or left to somebody else. */
type Fate = 'answered' | 'unanswered';

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
      await takeUp(follow);
      continue;
    }
    const job = need(connection.state, 'jobs', jobId);
    if (isFinal(JOB, job.status) || job.status === 'paused') return 'over';
    const stranded = connection.stranded(jobId);
    if (stranded !== null && job.status !== 'awaiting_steward') throw stranded;
    if (stop.times > 0) {
      pause.begin();
      pause.check();
      await next;
      continue;
    }
    const pending = jobApprovals(connection.state, jobId).filter((row) => row.status === 'pending');
    // What blocks the whole job is answered once the job says that it waits: an answer must not overtake that.
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

/** A job that its last owner was carrying out goes on here, if we are the owner now. */
async function takeUp({ connection, jobId }: Follow): Promise<void> {
  const { status } = need(connection.state, 'jobs', jobId);
  if (!connection.engine.owner || isFinal(JOB, status) || status === 'paused') return;
  await connection.engine.wish('resumeJob', { jobId });
}

/** Gets an answer and hands it in. null: the question may have changed meanwhile, look again. */
async function settle(follow: Follow, approval: ApprovalRow): Promise<Fate | 'leave' | null> {
  const { context, connection, steward, view } = follow;
  const job = need(connection.state, 'jobs', follow.jobId);
  const question = watchQuestion(follow, approval.id);
  try {
    const answer = await steward(approval, { job, view, signal: question.signal });
    if (answer === 'leave') return 'leave';
    if (answer === null) {
      view.say(`${approvalText(context, approval, job)}\n${howToAnswer(context, approval)}`);
      return 'unanswered';
    }
    return (await decide(connection, approval, answer)) ? 'answered' : null;
  } catch (thrown) {
    if (question.signal.aborted) return null;
    throw thrown;
  } finally {
    question.end();
  }
}

/** A signal that aborts when the question need not be answered here any more. */
function watchQuestion({ connection, stop }: Follow, id: number): { readonly signal: AbortSignal; end(): void } {
  const aborter = new AbortController();
  let over = false;
  const watch = async (): Promise<void> => {
    while (!over) {
      const next = stop.bell.next();
      const open = connection.state.approvals.get(id)?.status === 'pending';
      if (stop.times > 0 || connection.lost !== null || !open) {
        aborter.abort(failure('ABORTED', 'the question is no longer open'));
        return;
      }
      await next;
    }
  };
  void watch();
  const end = (): void => {
    over = true;
    stop.bell.ring();
  };
  return { signal: aborter.signal, end };
}

/** False when somebody else was faster. */
async function decide(
  connection: Connection,
  approval: ApprovalRow,
  answer: Exclude<Awaited<ReturnType<Steward>>, 'leave' | null>,
): Promise<boolean> {
  try {
    await connection.engine.wish('decide', { approvalId: approval.id, ...answer });
    return true;
  } catch (thrown) {
    const answered = connection.state.approvals.get(approval.id)?.status !== 'pending';
    if (answered || connection.lost !== null) return false;
    throw thrown;
  }
}

/** Pauses once, and gives a refusal to the loop unless the job got there by itself. */
function pauser({ connection, jobId, view, stop }: Follow) {
  let begun = false;
  let refused: unknown = null;
  return {
    begin(): void {
      if (begun) return;
      begun = true;
      view.say('Pausing; what was paid for is kept. Once more: exit at once.', 'warning');
      connection.engine.wish('pauseJob', { jobId, reason: 'stopped by the user' }).catch((thrown: unknown) => {
        refused = thrown;
        stop.bell.ring();
      });
    },
    /** A new owner knows nothing of it. */
    forget(): void {
      begun = false;
      refused = null;
    },
    check(): void {
      if (refused !== null && findFailure(refused)?.code !== 'OWNER_LOST') throw refused;
    },
  };
}
