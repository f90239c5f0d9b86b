/** Follows a task until it ends, is at rest, or needs an answer by the steward. Runs the task in this process if there is no other owner. */

import { taskWaiting } from '../../core/job/view/waiting.ts';
import { isOver, taskSteps } from '../../core/state/rows.ts';
import { isPauseSettled } from '../../core/task/pauseQuestion.ts';
import { taskProgress } from '../../core/task/view/tasks.ts';
import type { OpenedEngine } from '../../engine/workspace/workspace.ts';
import type { TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import type { State } from '../../shared/workspace/state.ts';
import { canAsk, personSteward } from '../approval/approvalPrompts.ts';
import { approvalText, howToAnswer } from '../approval/approvalText.ts';
import { type Answering, type Fate, settle } from '../approval/settle.ts';
import { SIMULATION } from '../job/run/runSummary.ts';
import { type Context, command } from '../screen/context.ts';
import { type Connection, connect } from '../screen/run/connection.ts';
import { type Stop, watchStop } from '../screen/run/stop.ts';
import { type RunView, viewOf } from '../screen/run/views.ts';
import { besideQuestions, waitReporter } from '../screen/run/waits.ts';
import { statusWord } from '../screen/taskText.ts';
import { indented, visibleLine } from '../text/visible.ts';
import { taskShown } from './taskShown.ts';

/** `rests`: not started, or paused without a question. `stopped`: by a signal; the task is unchanged, and resumes with the next owner. */
type Ending = 'over' | 'rests' | 'asks' | 'removed' | 'stopped';

interface Follow extends Answering {
  readonly taskId: string;
}

/** `begin` starts the task, or only finds it, and returns its id. Returns the exit code. */
export async function followTask(context: Context, begin: (engine: OpenedEngine) => Promise<string>): Promise<number> {
  const stop = watchStop(context.deps.signals);
  try {
    const connection = await stop.orKilled(connect(context, stop.bell));
    let followed: { readonly taskId: string; readonly ending: Ending } | null = null;
    try {
      followed = await attend(context, connection, stop, begin);
    } finally {
      // Running steps are recorded as interrupted: the next owner repeats them.
      const told = followed === null ? [] : [followed.taskId];
      await Promise.race([connection.close(told), stop.killed]);
    }
    const code = finish(context, connection.state, followed.taskId, followed.ending);
    return stop.times > 1 ? 1 : code;
  } finally {
    stop.forget();
  }
}

async function attend(
  context: Context,
  connection: Connection,
  stop: Stop,
  begin: (engine: OpenedEngine) => Promise<string>,
): Promise<{ readonly taskId: string; readonly ending: Ending }> {
  const taskId = await stop.orKilled(begin(connection.engine));
  const shown = taskShown(context, taskId, () => connection.state);
  const view = viewOf(context, shown);
  try {
    head(context, connection, taskId, view);
    const task = (): TaskRow | undefined => connection.state.tasks.get(taskId);
    const waits = waitReporter(
      context,
      { of: 'task', id: taskId, projectId: task()?.project_id ?? '' },
      () => {
        const row = task();
        return row === undefined ? null : besideQuestions(taskWaiting(connection.state, row));
      },
      (waiting, text) => view.waiting(waiting, text),
    );
    waits.look();
    connection.listen({
      event: (event) => {
        view.event(event, connection.state);
        waits.look();
      },
      problem: (text) => view.warn(`Warning: ${visibleLine(text)}`),
    });
    return {
      taskId,
      ending: await endOf({ context, connection, taskId, steward: personSteward(context), view, stop }),
    };
  } finally {
    view.end();
  }
}

function head(context: Context, { engine, state }: Connection, taskId: string, view: RunView): void {
  const task = state.tasks.get(taskId);
  if (task === undefined) return;
  view.say(`Task ${taskId}: ${visibleLine(task.name)}`, 'strong');
  const provider = task.provider ?? state.projects.get(task.project_id)?.provider;
  if (provider === 'simulated') view.say(SIMULATION.replaceAll('was', 'is'), 'warning');
  if (!engine.owner) view.say('Another process owns this workspace and carries it out; this one looks on.');
  else view.say(`It runs in this process. Ctrl-C stops here; the task resumes with ${again(context, taskId)}`, 'faint');
}

const again = (context: Context, taskId: string): string => command(context, `task progress ${taskId} --follow`);

async function endOf(follow: Follow): Promise<Ending> {
  const { context, connection, taskId, view, stop } = follow;
  const fates = new Map<number, Fate>();
  for (;;) {
    const next = stop.bell.next();
    if (stop.times > 0) return 'stopped';
    if (connection.lost !== null) {
      view.say(`The owner went away (${connection.lost}); taking over.`, 'warning');
      await stop.orKilled(connection.reopen());
      continue;
    }
    const { state } = connection;
    const task = state.tasks.get(taskId);
    const open = task === undefined ? undefined : questionsOf(state, task).find(({ id }) => !fates.has(id));
    if (open !== undefined && canAsk(context)) {
      const fate = await settle(follow, open);
      if (fate === 'leave') return 'asks';
      if (fate !== null) fates.set(open.id, fate);
      continue;
    }
    const ending = standing(state, taskId);
    if (ending !== null) return ending;
    await next;
  }
}

/** Returns null if the task continues without an answer. */
function standing(state: State, taskId: string): Exclude<Ending, 'stopped'> | null {
  const task = state.tasks.get(taskId);
  if (task === undefined) return 'removed';
  if (isOver(task)) return 'over';
  if (task.status === 'PENDING') return 'rests';
  const asked = questionsOf(state, task).length > 0;
  // Answered here or elsewhere, but its owner has not received the answer yet.
  if (isPauseSettled(state, task)) return null;
  if (task.status === 'PAUSED') return asked ? 'asks' : 'rests';
  // Parallel steps continue while one of them needs the steward.
  const runs = taskSteps(state, task).filter(({ status }) => status === 'RUNNING');
  return asked && runs.every((step) => waitsForSteward(state, step)) ? 'asks' : null;
}

/** Includes the questions of jobs that are steps of the task. */
function questionsOf(state: State, task: TaskRow) {
  const jobs = new Set(taskSteps(state, task).flatMap(({ job_id, status }) => (status === 'RUNNING' ? [job_id] : [])));
  return [...state.approvals.values()].filter(
    (row) =>
      row.status === 'pending' &&
      (row.task_id === task.id ||
        (row.job_id !== null && jobs.has(row.job_id) && state.jobs.get(row.job_id)?.status === 'awaiting_steward')),
  );
}

function waitsForSteward(state: State, { approval_id, job_id }: TaskStepRow): boolean {
  const asked = approval_id === null ? undefined : state.approvals.get(approval_id);
  if (asked?.status === 'pending') return true;
  return job_id !== null && state.jobs.get(job_id)?.status === 'awaiting_steward';
}

/** The last line, and the exit code: 3 if the steward must answer, 1 if the task failed or was cancelled. */
function finish(context: Context, state: State, taskId: string, ending: Ending): number {
  const { io, clock } = context.deps;
  const task = state.tasks.get(taskId);
  if (task === undefined) {
    io.out(
      context.json
        ? `${JSON.stringify({ type: 'task_finished', version: 1, removed: taskId })}\n`
        : 'It was removed.\n',
    );
    return 1;
  }
  const progress = taskProgress(state, taskId, clock.now());
  if (context.json) io.out(`${JSON.stringify({ type: 'task_finished', version: 1, ending, progress })}\n`);
  else io.out(`\n${endText(context, state, task, ending)}\n`);
  if (ending === 'asks') return 3;
  return task.status === 'FAILED' || task.status === 'CANCELLED' ? 1 : 0;
}

function endText(context: Context, state: State, task: TaskRow, ending: Ending): string {
  const report = `Report: ${command(context, `task report ${task.id}`)}`;
  const why = task.reason === null ? '' : `: ${visibleLine(task.reason)}`;
  switch (ending) {
    case 'stopped':
      return `Stopped here; the task is ${statusWord(task.status)} as it was. Resume: ${again(context, task.id)}`;
    case 'asks':
      return [
        ...questionsOf(state, task).map(
          (row) => `${approvalText(context, row, undefined)}\n${howToAnswer(context, row, state)}`,
        ),
        `Then continue: ${again(context, task.id)}`,
      ].join('\n');
    case 'rests':
      return task.status === 'PENDING'
        ? `It was not started. Start it: ${command(context, `task start ${task.id} --follow`)}`
        : `Paused${why}\nGo on: ${command(context, `task resume ${task.id} --follow`)}`;
    default:
      return [
        context.paint(`${statusWord(task.status)}${why}`, task.status === 'COMPLETED' ? 'good' : 'bad'),
        ...(task.summary === null ? [] : [indented(task.summary)]),
        report,
        ...(task.status === 'FAILED'
          ? [`Retry at the failed step: ${command(context, `task retry ${task.id} --follow`)}`]
          : []),
      ].join('\n');
  }
}
