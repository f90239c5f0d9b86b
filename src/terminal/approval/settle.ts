/** Gets an answer to a question from a steward of this run, and sends it. */
import { jobAsked } from '../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { Context } from '../screen/context.ts';
import type { Connection } from '../screen/run/connection.ts';
import type { Stop } from '../screen/run/stop.ts';
import type { RunView } from '../screen/run/views.ts';
import type { Steward } from './approvalPrompts.ts';
import { approvalText, howToAnswer } from './approvalText.ts';

export interface Answering {
  readonly context: Context;
  readonly connection: Connection;
  readonly steward: Steward;
  readonly view: RunView;
  readonly stop: Stop;
}

/** The outcome for a question here: answered, though perhaps not yet visible in the state, or left open. */
export type Fate = 'answered' | 'unanswered';

/** Gets an answer and sends it. Returns null if the question may have changed meanwhile, so that the caller looks again. */
export async function settle(answering: Answering, approval: ApprovalRow): Promise<Fate | 'leave' | null> {
  const { context, connection, steward, view } = answering;
  const job = jobAsked(connection.state, approval);
  const question = watchQuestion(answering, approval.id);
  try {
    const answer = await steward(approval, { job, state: connection.state, view, signal: question.signal });
    if (answer === 'leave') return 'leave';
    if (answer === null) {
      view.say(
        `${approvalText(context, approval, job, connection.state)}\n${howToAnswer(context, approval, connection.state)}`,
      );
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

/** A signal that aborts when the question no longer needs an answer here. */
function watchQuestion({ connection, stop }: Answering, id: number): { readonly signal: AbortSignal; end(): void } {
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

/** Returns false if another process answered first. */
async function decide(
  connection: Connection,
  approval: ApprovalRow,
  answer: Exclude<Awaited<ReturnType<Steward>>, 'leave' | null>,
): Promise<boolean> {
  try {
    await connection.engine.request('decide', { approvalId: approval.id, ...answer });
    return true;
  } catch (thrown) {
    const answered = connection.state.approvals.get(approval.id)?.status !== 'pending';
    if (answered || connection.lost !== null) return false;
    throw thrown;
  }
}
