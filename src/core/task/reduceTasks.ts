/** Events of tasks and of their schedules. `core/task/script` decides when a task ends; this file enforces it. */
import { APPROVAL_KINDS, type ApprovalKind, type ApprovalRow } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import type { EventOf } from '../../shared/workspace/events.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { newApproval, voided } from '../approval/reduceApprovals.ts';
import { SUSPENDED_WITH_PROJECT } from '../project/reduceProjects.ts';
import { endSession, failedSession } from '../state/endSession.ts';
import { STEP, step, TASK, type TaskTrigger } from '../state/machines.ts';
import { messageRows } from '../state/messages.ts';
import type { Reducer } from '../state/reducer.ts';
import { isOver, need, needNew, scheduleTasks, taskSteps } from '../state/rows.ts';
import { newSteps } from './reduceSteps.ts';
import { logOf } from './taskLog.ts';

const put = (task: TaskRow): Change => ({ table: 'tasks', put: task });
const putStep = (row: TaskStepRow): Change => ({ table: 'task_steps', put: row });

function move(task: TaskRow, trigger: TaskTrigger, patch: Partial<TaskRow> = {}): TaskRow {
  const status = step(`task ${task.id}`, TASK, task.status, trigger);
  return { ...task, reason: null, wait: null, ...patch, status };
}

/** The time in which a task is paused does not count as its duration. */
function going(task: TaskRow, at: string): Partial<TaskRow> {
  if (task.paused_at === null) return {};
  const paused_ms = task.paused_ms + Math.max(0, Date.parse(at) - Date.parse(task.paused_at));
  return { paused_at: null, paused_ms };
}

function needActiveProject(state: State, id: string): void {
  const project = need(state, 'projects', id);
  if (project.status === 'active' || project.status === 'suspended') return;
  throw failure('ILLEGAL_TRANSITION', `project ${id} is ${project.status}: it takes no tasks`);
}

/** Voids the questions about the task. */
function voidedQuestions(
  state: State,
  taskId: string,
  reason: string,
  at: string,
  kinds: readonly ApprovalKind[] = APPROVAL_KINDS,
): Change[] {
  const isOpen = (row: ApprovalRow): boolean =>
    row.task_id === taskId && row.status === 'pending' && kinds.includes(row.kind);
  return [...state.approvals.values()].filter(isOpen).map((row) => voided(row, reason, at));
}

/** Stops everything of the task: its open steps, its sessions, its questions. */
function stopped(state: State, task: TaskRow, why: string, at: string): Change[] {
  const steps = taskSteps(state, task).filter((row) => row.status === 'PENDING' || row.status === 'RUNNING');
  const sessions = [...state.sessions.values()].filter((row) => row.task_id === task.id && row.status === 'running');
  return [
    ...steps.map((row) =>
      putStep({
        ...row,
        status: step(`step ${row.id}`, STEP, row.status, 'cancel'),
        wake_at: null,
        wait: null,
        ended_at: at,
      }),
    ),
    ...sessions.map((row) => failedSession(row, why, at)),
    ...voidedQuestions(state, task.id, why, at),
  ];
}

const RESUMED = { level: 'info', event: 'task:started', text: 'resumed', data: {} } as const;

function newTask(event: EventOf<'task_created'> | EventOf<'task_defined'>): TaskRow {
  const { task, steps } = event;
  const due = event.type === 'task_created' ? event.schedule : null;
  return {
    ...task,
    status: 'PENDING',
    reason: null,
    wait: null,
    steps: steps.map(({ id }) => id),
    schedule_id: due?.id ?? null,
    due_at: due?.due_at ?? null,
    last_checkpoint_summary: null,
    last_checkpoint_at: null,
    summary: null,
    progress_told_at: null,
    clone_dir: null,
    clone_commit: null,
    created_at: event.at,
    started_at: null,
    paused_at: null,
    paused_ms: 0,
    ended_at: null,
  };
}

function dropped(state: State, task: TaskRow): Change[] {
  const logs = [...state.task_logs.values()].filter((row) => row.task_id === task.id);
  return [
    { table: 'tasks', drop: task.id },
    ...task.steps.map((id): Change => ({ table: 'task_steps', drop: id })),
    ...logs.map(({ id }): Change => ({ table: 'task_logs', drop: id })),
  ];
}

/** Advances the due time, and removes tasks beyond the number to keep. */
function scheduled(state: State, event: EventOf<'task_created'>): Change[] {
  if (event.schedule === null) return [];
  const schedule = need(state, 'schedules', event.schedule.id);
  const { due_at } = event.schedule;
  if (schedule.last_due !== null && schedule.last_due >= due_at) {
    throw failure('ILLEGAL_TRANSITION', `schedule ${schedule.id} has a task for ${due_at} already`);
  }
  const ended = scheduleTasks(state, schedule.id).filter(isOver);
  const old = ended.slice(0, Math.max(0, ended.length - schedule.keep));
  return [
    { table: 'schedules', put: { ...schedule, last_due: due_at } },
    ...old.flatMap((task) => dropped(state, task)),
  ];
}

function paused(state: State, event: EventOf<'task_paused'>): Change[] {
  const task = need(state, 'tasks', event.task_id);
  const row = move(task, 'pause', { reason: event.reason, paused_at: event.at });
  const log = logOf(event, task, { level: 'info', event: 'task:paused', text: event.reason, data: {} });
  const changes = [put(row), log, ...messageRows(event.message, event.at)];
  if (event.approval === null) return changes;
  needNew(state, 'approvals', event.approval.id);
  return [...changes, { table: 'approvals', put: newApproval(state, event.approval, event.at) }];
}

export const taskReducers = {
  task_created: (state, event) => {
    needNew(state, 'tasks', event.task.id);
    needActiveProject(state, event.task.project_id);
    return [
      put(newTask(event)),
      ...newSteps(state, event.task.id, 0, event.steps).map(putStep),
      ...scheduled(state, event),
    ];
  },

  task_defined: (state, event) => {
    const before = need(state, 'tasks', event.task.id);
    if (before.status !== 'PENDING') {
      throw failure('ILLEGAL_TRANSITION', `task ${before.id} is ${before.status}: it was started and stays as it is`, {
        hint: isOver(before) ? 'Make a new one.' : 'Add steps to it, or make a new one.',
      });
    }
    const { created_at, created_by, template, project_id } = before;
    return [
      ...before.steps.map((id): Change => ({ table: 'task_steps', drop: id })),
      put({ ...newTask(event), created_at, created_by, template, project_id }),
      ...newSteps(state, before.id, 0, event.steps).map(putStep),
    ];
  },

  task_steps_added: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    if (isOver(task)) throw failure('ILLEGAL_TRANSITION', `task ${task.id} is ${task.status}: it takes no more steps`);
    const rows = newSteps(state, task.id, task.steps.length, event.steps);
    return [put({ ...task, steps: [...task.steps, ...rows.map(({ id }) => id)] }), ...rows.map(putStep)];
  },

  task_started: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const row = move(task, 'start', { started_at: event.at, progress_told_at: event.at });
    return [put(row), logOf(event, task, { level: 'info', event: 'task:started', text: task.name, data: {} })];
  },

  task_paused: paused,

  task_resumed: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const budget = event.budget_micro_usd === undefined ? {} : { budget_micro_usd: event.budget_micro_usd };
    return [
      put({ ...move(task, 'resume', going(task, event.at)), ...budget }),
      // The work is retried.
      ...voidedQuestions(state, task.id, 'the task continues', event.at, ['limit', 'provider']),
      logOf(event, task, RESUMED),
    ];
  },

  task_cancelled: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const row = move(task, 'cancel', { reason: event.reason, ended_at: event.at, ...going(task, event.at) });
    return [
      put(row),
      ...stopped(state, task, 'the task was cancelled', event.at),
      logOf(event, task, { level: 'warning', event: 'task:cancelled', text: event.reason, data: {} }),
    ];
  },

  task_failed: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const row = move(task, 'fail', { reason: event.reason, ended_at: event.at, ...going(task, event.at) });
    return [
      put(row),
      ...stopped(state, task, 'the task failed', event.at),
      ...messageRows(event.message, event.at),
      logOf(event, task, { level: 'error', event: 'task:failed', text: event.reason, data: {} }),
    ];
  },

  task_retried: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const again = taskSteps(state, task).filter(
      (row) => row.status === 'CANCELLED' || (row.status === 'FAILED' && row.on_error !== 'continue'),
    );
    return [
      put(move(task, 'retry', { ended_at: null })),
      ...again.map((row) =>
        putStep({
          ...row,
          status: step(`step ${row.id}`, STEP, row.status, 'retry'),
          tries: 0,
          crashes: 0,
          error: null,
          result: null,
          wake_at: null,
          wait: null,
          job_id: null,
          approval_id: null,
          session_id: null,
          started_at: null,
          ended_at: null,
        }),
      ),
      logOf(event, task, { level: 'info', event: 'task:started', text: 'retried at the step that failed', data: {} }),
    ];
  },

  task_completed: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    const open = taskSteps(state, task).find((row) => row.status === 'PENDING' || row.status === 'RUNNING');
    if (open !== undefined) {
      throw failure('ILLEGAL_TRANSITION', `task ${task.id} has a step that is not over: ${open.name}`);
    }
    const row = move(task, 'complete', { summary: event.summary, ended_at: event.at });
    return [
      put(row),
      ...endSession(state, event.session, event.at),
      ...messageRows(event.message, event.at),
      logOf(event, task, { level: 'success', event: 'task:completed', text: task.name, data: {} }),
    ];
  },

  task_removed: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    if (isOver(task) || task.status === 'PENDING') return dropped(state, task);
    throw failure('ILLEGAL_TRANSITION', `task ${task.id} is ${task.status}`, { hint: 'Cancel it first.' });
  },

  task_cloned: (state, event) => {
    const task = need(state, 'tasks', event.task_id);
    return [put({ ...task, clone_dir: event.clone_dir, clone_commit: event.commit })];
  },

  schedule_set: (state, event) => {
    const before = state.schedules.get(event.schedule.id);
    needActiveProject(state, event.schedule.project_id);
    const last_due = before?.last_due ?? null;
    const goesOn =
      before?.enabled && before.cron === event.schedule.cron && before.time_zone === event.schedule.time_zone;
    const since = goesOn ? before.since : event.at;
    return [{ table: 'schedules', put: { ...event.schedule, last_due, since } }];
  },

  schedule_removed: (state, event) => [{ table: 'schedules', drop: need(state, 'schedules', event.id).id }],
} satisfies { readonly [T in TaskEvent]: Reducer<T> };

type TaskEvent =
  | 'task_created'
  | 'task_defined'
  | 'task_steps_added'
  | 'task_started'
  | 'task_paused'
  | 'task_resumed'
  | 'task_cancelled'
  | 'task_failed'
  | 'task_retried'
  | 'task_completed'
  | 'task_removed'
  | 'task_cloned'
  | 'schedule_set'
  | 'schedule_removed';

const projectTasks = (state: State, projectId: string): TaskRow[] =>
  [...state.tasks.values()].filter(({ project_id }) => project_id === projectId);

/** Effects of a project's events on its tasks. */
export const projectTaskReducers = {
  project_suspended: (state, event) => {
    const text = SUSPENDED_WITH_PROJECT;
    const running = projectTasks(state, event.project_id).filter(({ status }) => status === 'RUNNING');
    return running.flatMap((task, line) => [
      put(move(task, 'pause', { reason: text, paused_at: event.at })),
      logOf(event, task, { level: 'info', event: 'task:paused', text, data: {} }, line),
    ]);
  },

  project_resumed: (state, event) => {
    const waiting = projectTasks(state, event.project_id).filter(
      ({ status, reason }) => status === 'PAUSED' && reason === SUSPENDED_WITH_PROJECT,
    );
    return waiting.flatMap((task, line) => [
      put(move(task, 'resume', going(task, event.at))),
      logOf(event, task, RESUMED, line),
    ]);
  },

  /** Refuses if a task is neither over nor still to be started. */
  project_completed: (state, event) => {
    const task = projectTasks(state, event.project_id).find(
      ({ status }) => status === 'RUNNING' || status === 'PAUSED',
    );
    if (task === undefined) return [];
    throw failure('ILLEGAL_TRANSITION', `project ${event.project_id} has a task that is not over: ${task.id}`, {
      hint: 'Wait for it, or cancel it.',
    });
  },
} satisfies { readonly [T in 'project_suspended' | 'project_resumed' | 'project_completed']: Reducer<T> };
