/** A step that a model answers: one session, journaled, so that a kill at any moment pays nothing twice. */

import { asFailure, ERROR_TRAITS } from '../../../shared/errors.ts';
import type { AttemptLimits } from '../../../shared/job/rows.ts';
import type { SessionEnd } from '../../../shared/session.ts';
import type { StepResult } from '../../../shared/task/taskWork.ts';
import { answerOnly } from '../../project/answerOnly.ts';
import { oneId } from '../../project/talk/conversationSession.ts';
import type { EndReason, SessionResult, SessionSpec } from '../../session/ports.ts';
import { TASK_SYSTEM } from '../../session/prompts/task.ts';
import type { OrderOf, StepPorts, StepWork } from './stepPorts.ts';

type Generate = OrderOf<'generate'>;

/** An answer, and one more request if there was none. */
const LIMITS: AttemptLimits = { turns: 3, tokens: 10_000_000, seconds: 3_600, microUsd: 0 };

export const generateStep: StepWork<'generate'> = async (ports, order, signal) => {
  const id = await sessionOf(ports, order);
  const transcript = await ports.openTranscript(id);
  try {
    const of = { sessionId: id, workdir: ports.repository, transcript, limits: LIMITS, signal };
    const result = await answerOnly(ports, specOf(order), of);
    return resultOf(order, id, result);
  } catch (thrown) {
    const { code, message } = asFailure(thrown);
    if (signal.aborted || code === 'ABORTED' || ERROR_TRAITS[code].retry) throw thrown;
    // A session that has ended cannot be ended once more.
    const isOpen = ports.store.state.sessions.get(id)?.status === 'running';
    return { outcome: 'failed', error: message, result: null, session: isOpen ? failed(id, message, 0) : null };
  } finally {
    await transcript.close();
  }
};

/** The open session of this step, or a new one. */
async function sessionOf(ports: StepPorts, order: Generate): Promise<number> {
  const { taskId, projectId, stepId, sessionId, role, model } = order;
  const { sessions } = ports.store.state;
  const isBegun = [...sessions.values()].findLast(
    (row) =>
      row.status === 'running' &&
      row.task_id === taskId &&
      row.step_id === stepId &&
      row.role === role &&
      (sessionId === null || row.id === sessionId),
  );
  if (isBegun !== undefined) return isBegun.id;
  const id = await oneId(ports, 'sessions');
  const owned = { job_id: null, project_id: projectId, task_id: taskId, step_id: stepId, phase_id: null, notes: [] };
  await ports.store.commit({ type: 'session_started', id, role, model, ...owned });
  return id;
}

function specOf({ role, model, system, prompt, maxTokens, temperature }: Generate): SessionSpec {
  return {
    role,
    model,
    system: system === null || system.trim() === '' ? TASK_SYSTEM : system,
    opening: prompt,
    maxTokens,
    ...(temperature === null ? {} : { temperature }),
  };
}

function resultOf(order: Generate, id: number, result: SessionResult): StepResult {
  switch (result.outcome) {
    case 'answered': {
      const text = result.answer.kind === 'text' ? result.answer.text : '';
      const session = { id, status: 'completed', error_message: null, turns: result.turns } as const;
      return { outcome: 'completed', result: text, session };
    }
    case 'ended': {
      const error = why(order, result.reason, result.detail);
      return { outcome: 'failed', error, result: null, session: failed(id, error, result.turns) };
    }
    case 'unavailable': {
      const { code, detail, hint, wakeAt, limit, raiseTo } = result;
      return { outcome: 'unavailable', code, detail, hint, wakeAt, limit, raiseTo };
    }
    case 'aborted':
      return { outcome: 'aborted' };
  }
}

const failed = (id: number, error_message: string, turns: number): SessionEnd => ({
  id,
  status: 'failed',
  error_message,
  turns,
});

/** A truncated answer is a failure, because the missing part is unknown. */
function why({ maxTokens }: Generate, reason: EndReason, detail: string): string {
  if (reason === 'truncated') return `the answer is longer than ${maxTokens} tokens and was cut off: raise maxTokens`;
  return reason === 'refusal' ? `the model refused: ${detail}` : detail;
}
