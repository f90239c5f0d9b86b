/**
 * Handles a call of `long_running_task` by any agent. An interrupted round of tools is repeated: the repeated call finds the task
 * that it made before, and an action that is done already returns so. Actions of the steward alone are not offered.
 */
import { isOver, need, taskSteps } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import { DEFAULT_PROJECT } from '../../../shared/project/projects.ts';
import type { StepInput, TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import { TASK_TOOL_ARGUMENTS, type TaskToolAction, type TaskToolInput } from '../../../shared/task/taskTool.ts';
import { listed } from '../../session/quoted.ts';
import type { Engine } from '../../state/api.ts';
import { progressTold, reportTold, taskLine } from './taskReports.ts';

export interface TaskToolContext extends Pick<Engine, 'state' | 'request'> {
  /** Wall clock, ms. */
  now(): number;
}

export interface TaskCaller {
  readonly by: 'main' | 'agent';
  /** The only project that the caller may name. Null for any. */
  readonly project: string | null;
  /** A task that was made since then counts as the task of the same call, even if it has ended. */
  readonly since: string | null;
}

type Act = (context: TaskToolContext, caller: TaskCaller, input: TaskToolInput) => Promise<string>;

export function callTaskTool(context: TaskToolContext, caller: TaskCaller, input: TaskToolInput): Promise<string> {
  checkArguments(input);
  return ACTS[input.action](context, caller, input);
}

function checkArguments(input: TaskToolInput): void {
  const { needs, takes } = TASK_TOOL_ARGUMENTS[input.action];
  const given = Object.keys(input).filter((key) => key !== 'action' && input[key as keyof TaskToolInput] !== undefined);
  const missing = needs.filter((key) => !given.includes(key));
  const wrong = given.filter((key) => ![...needs, ...takes].some((known) => known === key));
  if (missing.length === 0 && wrong.length === 0) return;
  const faults = [
    ...(missing.length === 0 ? [] : [`it needs ${missing.join(', ')}`]),
    ...(wrong.length === 0 ? [] : [`it takes no ${wrong.join(', ')}`]),
  ];
  throw failure('INVALID_INPUT', `${input.action}: ${faults.join('; ')}`);
}

function taskOf({ state }: TaskToolContext, { project }: TaskCaller, { taskId = '' }: TaskToolInput): TaskRow {
  const task = state.tasks.get(taskId);
  if (task !== undefined && (project === null || task.project_id === project)) return task;
  const whose = project === null ? 'there is no task' : 'this project has no task';
  throw failure('NOT_FOUND', `${whose} ${taskId}`, { hint: 'get_progress without a taskId lists the tasks.' });
}

/** The steps from the model; the request validates them. */
const stepsOf = ({ steps }: TaskToolInput): StepInput[] => (steps ?? []) as StepInput[];

const NEXT = 'get_progress returns its progress';

function problemsText(problems: readonly string[], hasSteps: boolean): string {
  if (problems.length === 0) return '';
  const lines = problems.map((problem) => `- ${problem}`);
  // No agent edits a step.
  const advice = hasSteps
    ? '\nAn existing step cannot be changed: if one is wrong, cancel the task and create one of another name.'
    : '';
  return `\nBefore it can start:\n${listed(lines, '')}${advice}`;
}

const create: Act = async (context, caller, input) => {
  const { name = '', action: _, taskId: __, reason: ___, project: wanted, ...rest } = input;
  const project = caller.project ?? wanted ?? DEFAULT_PROJECT;
  const known = [...context.state.tasks.values()].find(
    (task) => task.project_id === project && isSame(context, caller, task, input),
  );
  if (known !== undefined) return `That task exists already: ${known.id}, ${known.status}. ${NEXT}.`;
  const definition = { ...rest, name, steps: stepsOf(input) };
  const { taskId, stepIds, problems } = await context.request('createTask', { project, definition, by: caller.by });
  const next = stepIds.length === 0 ? 'Now add_steps, then start.' : 'start starts it.';
  const count = stepIds.length === 0 ? 'without steps yet' : `with ${stepIds.length} steps`;
  return `Made as task ${taskId} in project ${project}, ${count}. ${next}${problemsText(problems, stepIds.length > 0)}`;
};

/** The same input of the same caller, if the task has not ended or was made since the caller's turn started. */
function isSame(context: TaskToolContext, { by, since }: TaskCaller, task: TaskRow, input: TaskToolInput): boolean {
  if (task.created_by !== by) return false;
  if (isOver(task) && (since === null || task.created_at < since)) return false;
  const same =
    task.name === input.name &&
    task.description === (input.description ?? '') &&
    task.objective === (input.objective ?? '') &&
    task.estimated_duration_minutes === (input.estimatedDurationMinutes ?? null);
  const rows = taskSteps(context.state, task);
  return same && stepsOf(input).every((step, at) => isSameStep(rows[at], step));
}

const isSameStep = (row: TaskStepRow | undefined, step: StepInput): boolean =>
  row !== undefined &&
  row.name === step.name &&
  row.action === step.action &&
  JSON.stringify(row.params) === JSON.stringify(step.params ?? {});

const addSteps: Act = async (context, caller, input) => {
  const task = taskOf(context, caller, input);
  const rows = taskSteps(context.state, task);
  const steps = stepsOf(input);
  const last = rows.slice(-steps.length);
  if (last.length === steps.length && steps.every((step, at) => isSameStep(last[at], step))) {
    return `Task ${task.id} has these steps already, as its last ones.`;
  }
  const { stepIds, problems } = await context.request('addTaskSteps', { taskId: task.id, steps, by: caller.by });
  const first = rows.length + 1;
  const numbers = stepIds.length === 1 ? `step ${first}` : `steps ${first} to ${rows.length + stepIds.length}`;
  const next = task.status === 'PENDING' ? 'start starts it.' : `It is ${task.status}.`;
  return `Added as ${numbers} of task ${task.id}. ${next}${problemsText(problems, true)}`;
};

const start: Act = async (context, caller, input) => {
  const { id, status } = taskOf(context, caller, input);
  if (status === 'RUNNING') return `Task ${id} runs already. ${NEXT}.`;
  await context.request('startTask', { taskId: id, by: caller.by });
  return `Started task ${id}: it runs without further calls. ${NEXT}.`;
};

const pause: Act = async (context, caller, input) => {
  const { id, status } = taskOf(context, caller, input);
  if (status === 'PAUSED') return `Task ${id} is paused already.`;
  await context.request('pauseTask', { taskId: id, reason: input.reason ?? 'paused by an agent', by: caller.by });
  return `Paused task ${id}: running steps end and are kept, no other step starts. resume continues it.`;
};

const resume: Act = async (context, caller, input) => {
  const { id, status } = taskOf(context, caller, input);
  if (status === 'RUNNING') return `Task ${id} runs already. ${NEXT}.`;
  await context.request('resumeTask', { taskId: id, by: caller.by });
  return `Task ${id} continues. ${NEXT}.`;
};

const cancel: Act = async (context, caller, input) => {
  const { id, status } = taskOf(context, caller, input);
  if (status === 'CANCELLED') return `Task ${id} is cancelled already.`;
  await context.request('cancelTask', { taskId: id, reason: input.reason ?? 'cancelled by an agent', by: caller.by });
  return `Cancelled task ${id}. Results so far are in get_report.`;
};

const retry: Act = async (context, caller, input) => {
  const { id, status } = taskOf(context, caller, input);
  if (status === 'RUNNING') return `Task ${id} runs already. ${NEXT}.`;
  await context.request('retryTask', { taskId: id, by: caller.by });
  return `Task ${id} resumes at the step that failed; completed steps do not run again. ${NEXT}.`;
};

const getProgress: Act = async (context, caller, input) => {
  if (input.taskId !== undefined) return progressTold(context.state, taskOf(context, caller, input).id, context.now());
  const project = caller.project ?? input.project;
  if (project !== undefined) need(context.state, 'projects', project);
  const tasks = [...context.state.tasks.values()].filter(
    (task) => project === undefined || task.project_id === project,
  );
  return listed(
    tasks.reverse().map((task) => taskLine(context.state, task.id, context.now())),
    'There is no task.',
  );
};

const getReport: Act = async (context, caller, input) =>
  reportTold(context.state, taskOf(context, caller, input).id, context.now());

const ACTS: Readonly<Record<TaskToolAction, Act>> = {
  create,
  add_steps: addSteps,
  start,
  pause,
  resume,
  cancel,
  retry,
  get_progress: getProgress,
  get_report: getReport,
};
