/** `task list`, `show`, `progress`, `report` and `log`: tasks and their state. */

import { taskStandsStill } from '../../core/job/view/jobStatus.ts';
import { isNothing, spentText } from '../../core/money/view/spent.ts';
import { need } from '../../core/state/rows.ts';
import { taskReport } from '../../core/task/view/taskReport.ts';
import {
  ACTIVE,
  logView,
  taskDetails,
  taskList,
  taskLogs,
  taskProgress,
  taskSummary,
} from '../../core/task/view/tasks.ts';
import type { StepView, TaskDetails, TaskSummary } from '../../shared/task/taskApi.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import { type Context, columns, command, print, readOwned, readState } from '../screen/context.ts';
import {
  barText,
  logText,
  moneyText,
  nowText,
  STEP_MARKS,
  statusWord,
  TASK_TONES,
  wayText,
} from '../screen/taskText.ts';
import { waitingText, waitLines } from '../screen/waiting.ts';
import { dollars, dollarsOrNone, duration, moment, plural } from '../text/format.ts';
import { spentColumns } from '../text/spentColumns.ts';
import { table } from '../text/table.ts';
import { indented, visibleLine } from '../text/visible.ts';
import { findTask } from './findTask.ts';
import { followTask } from './followTask.ts';

export interface TaskListOptions {
  readonly active?: true;
  readonly all?: true;
  readonly project?: string;
}

/** Limit of ended tasks, unless all are requested. */
const OVER_SHOWN = 10;

export async function taskListVerb(context: Context, options: TaskListOptions): Promise<number> {
  const { state, owned, atWork } = await readOwned(context);
  const { project } = options;
  if (project !== undefined) need(state, 'projects', project);
  const statuses = options.active === true ? ACTIVE : undefined;
  const every = taskList(state, { project, statuses }, context.deps.clock.now());
  const over = new Set(every.filter(isOver).slice(OVER_SHOWN));
  const tasks = options.all === true ? every : every.filter((task) => !over.has(task));
  print(context, { owned, tasks }, context.json ? '' : listText(context, tasks, every.length - tasks.length, atWork));
  return 0;
}

const subjectOf = (id: string, projectId: string) => ({ of: 'task', id, projectId }) as const;

function statusText({ status, questions, waiting }: TaskSummary): string {
  const word = statusWord(status);
  if (questions.length > 0) return `${word}, asks`;
  return status === 'RUNNING' && waiting !== null ? `${word}, waits` : word;
}

const isStill = ({ status, questions }: Pick<TaskSummary, 'status' | 'questions'>, atWork: AtWork): boolean =>
  taskStandsStill({ status, questions: questions.length }, atWork);

const isOver = ({ status }: TaskSummary): boolean => status !== 'PENDING' && !ACTIVE.includes(status);

function listText(context: Context, tasks: readonly TaskSummary[], hidden: number, atWork: AtWork): string {
  if (tasks.length === 0) {
    return `No task to show. Make one: ${command(context, 'task new <file>')}, or of a template: ${command(context, 'task template list')}`;
  }
  const { clock } = context.deps;
  const money = spentColumns('COST', tasks);
  const cells = tasks.map((task) => [
    task.id,
    visibleLine(task.name),
    statusText(task),
    task.stepsTotal === 0 ? '' : `${task.percent} %`,
    isOver(task) || task.eta.remainingMs === null ? '' : duration(task.eta.remainingMs),
    ...money.cells(task),
    visibleLine(task.projectId),
    moment(task.createdAt, clock),
  ]);
  const titles = [
    { title: 'TASK' },
    { title: 'NAME', gives: true },
    { title: 'STATUS' },
    { title: 'DONE', align: 'right' as const },
    { title: 'LEFT', align: 'right' as const, optional: true },
    ...money.columns,
    { title: 'PROJECT', optional: true },
    { title: 'MADE', optional: true },
  ];
  const more = hidden === 0 ? [] : [`${plural(hidden, 'older task')} not shown: --all`];
  const stands = tasks.some((task) => isStill(task, atWork));
  const still = stands ? [`No process carries out tasks now. ${keepOwner(context)}`] : [];
  const waits = tasks.map((task) => ({ subject: subjectOf(task.id, task.projectId), waiting: task.waiting }));
  return [...table(titles, cells, columns(context)), ...waitLines(context, waits), ...more, ...still].join('\n');
}

/** Commands that keep an owner running, so that tasks run. */
export const keepOwner = (context: Context, id = '<id>'): string =>
  `Keep one here: ${command(context, 'serve')}, or stay with one task: ${command(context, `task progress ${id} --follow`)}`;

export async function taskShowVerb(context: Context, id: string): Promise<number> {
  const { state, owned } = await readOwned(context);
  const now = context.deps.clock.now();
  const task = taskDetails(state, findTask(context, state, id).id, now);
  const text = context.json
    ? ''
    : showText(context, task, progressText(context, taskProgress(state, task.id, now), task));
  print(context, { owned, task }, text);
  return 0;
}

function showText(context: Context, task: TaskDetails, progress: string): string {
  const { clock } = context.deps;
  const facts: readonly (readonly [string, string])[] = [
    ['Project', visibleLine(task.projectId)],
    [
      'Made',
      `${moment(task.createdAt, clock)}, by ${task.createdBy}${task.template === null ? '' : `, of the template ${visibleLine(task.template)}`}`,
    ],
    ['Budget', dollarsOrNone(task.budgetUsd)],
    ['At its end', task.completionBehavior],
    ...(task.objective === '' ? [] : [['Objective', visibleLine(task.objective)] as const]),
  ];
  return [
    progress,
    ...facts.map(([title, text]) => `  ${`${title}:`.padEnd(12)}${text}`),
    '',
    ...task.steps.flatMap((step) => stepLines(context, step)),
    '',
    `Results: ${command(context, `task report ${task.id}`)}`,
  ].join('\n');
}

function stepLines(context: Context, step: StepView): string[] {
  const { clock } = context.deps;
  const about = [
    step.action,
    statusWord(step.status),
    ...(step.durationMs === null ? [] : [duration(step.durationMs)]),
    ...(isNothing(step) ? [] : [spentText(step, dollars)]),
    ...(step.tries === 0 ? [] : [plural(step.tries, 'failed attempt', 'failed attempts')]),
    ...(step.wakeAt === null ? [] : [`until ${moment(step.wakeAt, clock)}`]),
    ...(step.jobId === null ? [] : [`job ${step.jobId}`]),
    ...(step.questionId === null ? [] : [`question ${step.questionId}`]),
    ...(step.isCheckpoint ? ['checkpoint'] : []),
  ];
  const error = step.error === null ? [] : [`      ${visibleLine(step.error)}`];
  return [`${STEP_MARKS[step.status]} ${step.number}. ${visibleLine(step.name)} (${about.join(', ')})`, ...error];
}

function progressText(
  context: Context,
  progress: ReturnType<typeof taskProgress>,
  { simulated, projectId }: Pick<TaskSummary, 'simulated' | 'projectId'>,
): string {
  const { deps, paint } = context;
  const { status, waiting } = progress;
  const [now, tone] =
    status === 'RUNNING' && waiting !== null
      ? [waitingText(context, waiting, subjectOf(progress.taskId, projectId)), 'warning' as const]
      : nowText(progress, deps.clock);
  const way = deps.io.isTTY ? barText(progress, columns(context)) : wayText(progress);
  return [
    paint(
      `Task ${progress.taskId}: ${visibleLine(progress.name)} (${statusWord(progress.status)})`,
      TASK_TONES[progress.status],
    ),
    `  ${way}`,
    `  ${paint(now, tone)}`,
    `  ${moneyText(progress, simulated)}`,
    ...progress.questions.map(({ id }) => `  Answer question ${id}: ${command(context, `approve ${id}`)}`),
    ...(progress.lastCheckpointSummary === null
      ? []
      : ['  Last checkpoint:', indented(progress.lastCheckpointSummary, '    ')]),
  ].join('\n');
}

export async function taskProgressVerb(
  context: Context,
  id: string,
  options: { readonly follow?: true },
): Promise<number> {
  if (options.follow === true) return followTask(context, async ({ state }) => findTask(context, state, id).id);
  const { state, owned, atWork } = await readOwned(context);
  const now = context.deps.clock.now();
  const { id: taskId } = findTask(context, state, id);
  const progress = taskProgress(state, taskId, now);
  const asks = progress.questions.length > 0;
  const still = isStill(progress, atWork) ? [`No process carries out tasks now. ${keepOwner(context, taskId)}`] : [];
  const text = progressText(context, progress, taskSummary(state, taskId, now));
  print(context, { owned, progress }, [text, ...still].join('\n'));
  return asks ? 3 : 0;
}

export async function taskReportVerb(context: Context, id: string): Promise<number> {
  const state = await readState(context);
  const view = taskReport(state, findTask(context, state, id).id, context.deps.clock.now());
  print(context, view, context.deps.io.isTTY ? indented(view.report, '') : view.report);
  return 0;
}

export async function taskLogVerb(context: Context, id: string): Promise<number> {
  const state = await readState(context);
  const task = findTask(context, state, id);
  const log = taskLogs(state, task.id).map((row) => logView(state, row));
  const { clock } = context.deps;
  const lines = log
    .filter(({ event }) => event !== 'task:progress')
    .map(({ at, level, step, event, text }) => {
      const mark = level === 'error' ? 'x' : level === 'warning' ? '!' : ' ';
      return `${moment(at, clock)} ${mark} ${step === null ? '' : `step ${step}: `}${logText({ event, text }, task.name)}`;
    });
  print(context, { taskId: task.id, log }, lines.length === 0 ? 'Nothing happened to it yet.' : lines.join('\n'));
  return 0;
}
