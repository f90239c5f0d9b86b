/** Actions of a person on a task: start, pause, resume, cancel, retry, remove. */
import { taskWaiting } from '../../core/job/view/waiting.ts';
import type { OpenedEngine } from '../../engine/workspace/workspace.ts';
import { type Context, command, print, withEngine } from '../screen/context.ts';
import { parseUsd } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { findTask } from './findTask.ts';
import { followTask } from './followTask.ts';
import { keepOwner } from './tasks.ts';

interface Follow {
  readonly follow?: true;
}

export interface ResumeOptions extends Follow {
  readonly budget?: string;
}

type Send = (engine: OpenedEngine, taskId: string) => Promise<unknown>;

/** Sends one request about a task. Prints the result, and which process runs the task then. */
async function act(context: Context, id: string, done: string, send: Send): Promise<number> {
  const { task, status, owner } = await withEngine(context, async (engine) => {
    const found = findTask(context, engine.state, id);
    await send(engine, found.id);
    const after = engine.state.tasks.get(found.id)?.status ?? null;
    return { task: found, status: after, owner: engine.owner };
  });
  const runs = status === 'RUNNING' ? [runsText(context, task.id, owner)] : [];
  const text = [`Task ${task.id} (${visibleLine(task.name)}) ${done}`, ...runs].join('\n');
  print(context, { task: { id: task.id, status }, working: !owner }, text);
  return 0;
}

/** Describes whether a process runs the task after this one ends. */
export function runsText(context: Context, taskId: string, owner: boolean): string {
  if (owner) return `No owner is running, so the task does not run yet. ${keepOwner(context, taskId)}`;
  return `The running owner carries it out. See: ${command(context, `task progress ${taskId} --follow`)}`;
}

async function following(context: Context, id: string, options: Follow, done: string, send: Send): Promise<number> {
  if (options.follow !== true) return act(context, id, done, send);
  return followTask(context, async (engine) => {
    const { id: taskId } = findTask(context, engine.state, id);
    await send(engine, taskId);
    return taskId;
  });
}

export const startVerb = (context: Context, id: string, options: Follow): Promise<number> =>
  following(context, id, options, 'is started', (engine, taskId) => engine.request('startTask', { taskId }));

export const retryVerb = (context: Context, id: string, options: Follow): Promise<number> =>
  following(context, id, options, 'resumes at the failed step', (engine, taskId) =>
    engine.request('retryTask', { taskId }),
  );

export async function resumeVerb(context: Context, id: string, options: ResumeOptions): Promise<number> {
  const budget = options.budget === undefined ? {} : { budgetMicroUsd: parseUsd(options.budget, '--budget') };
  return following(context, id, options, 'resumes', (engine, taskId) => {
    const task = engine.state.tasks.get(taskId);
    const isWaiting = task?.status === 'RUNNING' && taskWaiting(engine.state, task) !== null;
    if (isWaiting && options.budget === undefined) return engine.request('tryNow', { of: 'task', id: taskId });
    return engine.request('resumeTask', { taskId, ...budget });
  });
}

const withReason = (reason: string | undefined): { readonly reason?: string } =>
  reason === undefined ? {} : { reason };

export const pauseVerb = (context: Context, id: string, reason: string | undefined): Promise<number> =>
  act(context, id, 'is paused; what runs ends and is kept', (engine, taskId) =>
    engine.request('pauseTask', { taskId, ...withReason(reason) }),
  );

export const cancelVerb = (context: Context, id: string, reason: string | undefined): Promise<number> =>
  act(context, id, 'is cancelled; its results so far stay', (engine, taskId) =>
    engine.request('cancelTask', { taskId, ...withReason(reason) }),
  );

export const removeVerb = (context: Context, id: string): Promise<number> =>
  act(context, id, 'is removed; what it cost stays in the costs', (engine, taskId) =>
    engine.request('removeTask', { taskId }),
  );
