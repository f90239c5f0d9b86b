/** Decides about a step that cannot run now: it waits for a time, or the task asks the steward and continues after the answer. */
import { aboutOf, limitAskedAbout } from '../../../core/approval/about.ts';
import { isPauseSettled, pauseQuestion } from '../../../core/task/pauseQuestion.ts';
import { findFailure } from '../../../shared/errors.ts';
import type { TaskRow } from '../../../shared/task/tasks.ts';
import { missingAction, type StepResult } from '../../../shared/task/taskWork.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isForSteward, projectQuestion, refusalQuestion } from '../../approval/questions.ts';
import { oneId, type RunnerPorts } from '../ports.ts';
import { notice } from './notices.ts';

const TRY_AGAIN_MS = 60_000;

type Stopped = Extract<StepResult, { readonly outcome: 'ask' | 'unavailable' }>;

/** No effect if the task or the step has ended meanwhile. */
export async function waitOrAskSteward(
  ports: RunnerPorts,
  taskId: string,
  stepId: number,
  stopped: Stopped,
): Promise<void> {
  const draft = standing(ports, taskId, stepId, stopped);
  if (draft === null) return;
  try {
    await ports.store.commit(draft);
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') throw thrown;
  }
}

function standing(ports: RunnerPorts, task_id: string, step_id: number, stopped: Stopped): EventDraft | null {
  const { store, clock } = ports;
  const task = store.state.tasks.get(task_id);
  if (task === undefined) return null;
  const asked = (id: number, of: Parameters<typeof projectQuestion>[2]) =>
    projectQuestion(task.project_id, id, { ...of, task_id });
  if (stopped.outcome === 'ask') {
    const { subject, ...words } = stopped.asked;
    const approval = asked(oneId(ports, 'approvals'), { about: aboutOf(subject), ...words });
    return { type: 'task_step_asked', task_id, step_id, approval };
  }
  const { wakeAt, code, detail: reason } = stopped;
  const paused = { type: 'task_paused', task_id, reason, by: 'engine' } as const;
  // Its extension may be installed later: see `resumeRegistered`.
  if (code === 'NOT_FOUND') {
    const message = notice(ports, task, 'warning', `${task.name} waits: ${reason}.`);
    return { ...paused, approval: null, message };
  }
  if (wakeAt !== null || !isForSteward(code)) {
    const wake_at = wakeAt ?? new Date(clock.now() + TRY_AGAIN_MS).toISOString();
    return { type: 'task_step_waiting', task_id, step_id, wake_at, reason };
  }
  const id = oneId(ports, 'approvals');
  const approval = asked(id, refusalQuestion(stopped, id, 'task'));
  return { ...paused, approval, message: null };
}

/**
 * The event that resumes a task which was paused with a question. Null if there was no question, or the answer is no. A question
 * that was settled without an answer simply causes another attempt.
 */
export function answerToPause(state: State, task: TaskRow): EventDraft | null {
  const asked = pauseQuestion(state, task);
  if (asked === undefined || !isPauseSettled(state, task)) return null;
  const goesOn = { type: 'task_resumed', task_id: task.id, by: 'engine' } as const;
  const { limit, raiseTo } = limitAskedAbout(asked.subject);
  const most = task.budget_micro_usd;
  if (asked.status === 'void' || asked.kind !== 'limit' || limit !== 'task' || most === null) return goesOn;
  return { ...goesOn, budget_micro_usd: Math.max(most, raiseTo ?? 2 * most) };
}

/** Resumes tasks that wait for actions which are available now. */
export function resumeRegistered(state: State, names: readonly string[]): EventDraft[] {
  const reasons = new Set(names.map(missingAction));
  return [...state.tasks.values()]
    .filter(({ status, reason }) => status === 'PAUSED' && reason !== null && reasons.has(reason))
    .map(({ id }) => ({ type: 'task_resumed', task_id: id, by: 'engine' }));
}
