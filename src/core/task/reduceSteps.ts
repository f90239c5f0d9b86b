/** Events of a task's steps. `core/task/script` decides what may start; this file enforces it. */
import { failure } from '../../shared/errors.ts';
import type { NewStep, StepEnd, StepStart } from '../../shared/task/taskEvents.ts';
import type { TaskLogRow, TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import type { EventOf } from '../../shared/workspace/events.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { newApproval, voided } from '../approval/reduceApprovals.ts';
import { waitCodeOf, waitSince } from '../money/callWait.ts';
import { endSession } from '../state/endSession.ts';
import { STEP, type StepTrigger, step } from '../state/machines.ts';
import { messageRows, newMessage } from '../state/messages.ts';
import type { Reducer } from '../state/reducer.ts';
import { need, needNew, taskSteps } from '../state/rows.ts';
import { logOf, progressData } from './taskLog.ts';

const putTask = (task: TaskRow): Change => ({ table: 'tasks', put: task });
const putStep = (row: TaskStepRow): Change => ({ table: 'task_steps', put: row });

/** `before`: how many the task has already. */
export function newSteps(state: State, taskId: string, before: number, steps: readonly NewStep[]): TaskStepRow[] {
  return steps.map((given, index) => {
    needNew(state, 'task_steps', given.id);
    return {
      ...given,
      task_id: taskId,
      number: before + index + 1,
      status: 'PENDING',
      tries: 0,
      crashes: 0,
      error: null,
      result: null,
      result_artifact: null,
      result_bytes: 0,
      wake_at: null,
      wait: null,
      job_id: null,
      approval_id: null,
      session_id: null,
      checkpoint: null,
      started_at: null,
      ended_at: null,
    };
  });
}

const moved = (row: TaskStepRow, trigger: StepTrigger) => step(`step ${row.id}`, STEP, row.status, trigger);

/** A step as its end leaves it. */
export function endedStep(row: TaskStepRow, end: StepEnd, at: string): TaskStepRow {
  switch (end.outcome) {
    case 'completed':
      return {
        ...row,
        status: moved(row, 'complete'),
        result: end.result,
        result_artifact: end.artifact,
        result_bytes: end.bytes,
        error: null,
        crashes: 0,
        wake_at: null,
        wait: null,
        checkpoint: row.is_checkpoint ? 'due' : null,
        ended_at: at,
      };
    case 'failed': {
      const again = end.retryAt !== null;
      return {
        ...row,
        status: moved(row, again ? 'again' : 'fail'),
        tries: row.tries + 1,
        crashes: 0,
        error: end.error,
        result: end.result,
        wake_at: end.retryAt,
        wait: null,
        job_id: again ? null : row.job_id,
        approval_id: again ? null : row.approval_id,
        session_id: again ? null : row.session_id,
        ended_at: again ? null : at,
      };
    }
    case 'interrupted':
      return { ...row, status: moved(row, 'again'), crashes: row.crashes + 1, error: end.error, wait: null };
  }
}

function startedStep(row: TaskStepRow, start: StepStart, at: string): TaskStepRow {
  return {
    ...row,
    status: moved(row, 'start'),
    wake_at: start.wake_at,
    job_id: start.job_id ?? row.job_id,
    approval_id: start.approval?.id ?? row.approval_id,
    started_at: row.started_at ?? at,
  };
}

function stepped(state: State, event: EventOf<'task_stepped'>): Change[] {
  const task = need(state, 'tasks', event.task_id);
  if (event.started.length > 0 && task.status !== 'RUNNING') {
    throw failure('ILLEGAL_TRANSITION', `task ${task.id} is ${task.status}: its steps cannot start`);
  }
  const rowOf = (id: number): TaskStepRow => {
    const row = need(state, 'task_steps', id);
    if (row.task_id !== task.id) throw failure('ILLEGAL_TRANSITION', `step ${id} is not of task ${task.id}`);
    return row;
  };
  const rows = [
    ...event.ended.map((end) => endedStep(rowOf(end.step_id), end, event.at)),
    ...event.skipped.map((id): TaskStepRow => {
      const row = rowOf(id);
      return { ...row, status: step(`step ${id}`, STEP, row.status, 'skip'), ended_at: event.at };
    }),
    ...event.started.map((start) => startedStep(rowOf(start.step_id), start, event.at)),
  ];
  const asked = event.started.flatMap(({ approval }) => (approval === null ? [] : [approval]));
  for (const { id } of asked) needNew(state, 'approvals', id);
  const questions = event.ended.flatMap(({ step_id }) => {
    const { approval_id } = rowOf(step_id);
    const row = approval_id === null ? undefined : state.approvals.get(approval_id);
    return row?.status === 'pending' ? [voided(row, 'the step ended', event.at)] : [];
  });
  return [
    ...rows.map(putStep),
    ...event.ended.flatMap(({ session }) => endSession(state, session, event.at)),
    ...asked.map((approval): Change => ({ table: 'approvals', put: newApproval(state, approval, event.at) })),
    ...questions,
    ...messageRows(event.message, event.at),
    ...progressLogs(state, event, task, rows),
  ];
}

/** Log rows for the result of each step, and for the task's progress if it changed. */
function progressLogs(
  state: State,
  event: EventOf<'task_stepped'>,
  task: TaskRow,
  rows: readonly TaskStepRow[],
): Change[] {
  const now = new Map(rows.map((row) => [row.id, row]));
  const progress = progressData(taskSteps(state, task).map((row) => now.get(row.id) ?? row));
  let line = 0;
  const messageRows = (row: TaskStepRow, said: Pick<TaskLogRow, 'level' | 'event' | 'text'>, data = {}): Change =>
    logOf(event, task, { step_id: row.id, ...said, data: { step: row.number, name: row.name, ...data } }, line++);
  const farther = (row: TaskStepRow): Change =>
    messageRows(row, { level: 'info', event: 'task:progress', text: `${progress.percent} %` }, progress);
  const ended = event.ended.flatMap((end) => {
    const row = now.get(end.step_id);
    if (row === undefined) return [];
    if (end.outcome === 'completed') {
      const text = `${row.name}: completed`;
      return [messageRows(row, { level: 'info', event: 'task:step_completed', text }, progress), farther(row)];
    }
    const level = end.outcome === 'interrupted' || row.status === 'PENDING' ? 'warning' : 'error';
    const failed = messageRows(row, { level, event: null, text: `${row.name}: ${end.error}` });
    return row.status === 'FAILED' ? [failed, farther(row)] : [failed];
  });
  const skipped = now.get(event.skipped.at(-1) ?? -1);
  const farthest = skipped === undefined ? [] : [farther(skipped)];
  const asked = event.started.flatMap(({ step_id, approval }) => {
    const row = now.get(step_id);
    if (row === undefined || approval === null) return [];
    return [messageRows(row, { level: 'warning', event: null, text: `${row.name}: ${approval.question}` })];
  });
  return [...ended, ...farthest, ...asked];
}

function needRunning(state: State, stepId: number): TaskStepRow {
  const row = need(state, 'task_steps', stepId);
  if (row.status === 'RUNNING') return row;
  throw failure('ILLEGAL_TRANSITION', `step ${stepId} is ${row.status}: it is not waiting`);
}

export const taskStepReducers = {
  task_stepped: stepped,

  task_step_asked: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const row = needRunning(state, event.step_id);
    needNew(state, 'approvals', event.approval.id);
    return [
      putStep({ ...row, approval_id: event.approval.id }),
      { table: 'approvals', put: newApproval(state, event.approval, event.at) },
      logOf(event, task, { step_id: row.id, level: 'warning', event: null, text: event.approval.question, data: {} }),
    ];
  },

  task_step_waiting: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const row = needRunning(state, event.step_id);
    const now = { code: waitCodeOf(event.reason), reason: event.reason, until: event.wake_at };
    const wait = waitSince(row.wait, now, event.at);
    const put = putStep({ ...row, wake_at: event.wake_at, error: event.reason, wait });
    // A wait that a failed attempt only prolongs has one row.
    if (row.wake_at !== null && row.wait?.code === now.code) return [put];
    return [put, logOf(event, task, { step_id: row.id, level: 'warning', event: null, text: event.reason, data: {} })];
  },

  task_checkpointed: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const row = need(state, 'task_steps', event.step_id);
    if (row.checkpoint !== 'due') throw failure('ILLEGAL_TRANSITION', `step ${row.id} has no checkpoint that is due`);
    const data = { step: row.number, name: row.name, summary: event.summary };
    return [
      putTask({ ...task, last_checkpoint_summary: event.summary, last_checkpoint_at: event.at }),
      putStep({ ...row, checkpoint: 'done' }),
      ...endSession(state, event.session, event.at),
      ...messageRows(event.message, event.at),
      logOf(event, task, { step_id: row.id, level: 'info', event: 'task:checkpoint', text: event.summary, data }),
    ];
  },

  task_progressed: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const data = progressData(taskSteps(state, task));
    return [
      putTask({ ...task, progress_told_at: event.at }),
      newMessage(event.message, event.at),
      logOf(event, task, { level: 'info', event: 'task:progress', text: event.message.text, data }),
    ];
  },

  task_noted: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const { step_id, level, text } = event;
    return [logOf(event, task, { step_id, level, event: null, text, data: {} })];
  },
} satisfies { readonly [T in StepEvent]: Reducer<T> };

type StepEvent =
  | 'task_stepped'
  | 'task_step_asked'
  | 'task_step_waiting'
  | 'task_checkpointed'
  | 'task_progressed'
  | 'task_noted';
