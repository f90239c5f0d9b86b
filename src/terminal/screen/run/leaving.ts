/** Lists the work of this process: what it resumed when it became the owner, and what stops when it ends. */

import { goesOnByItself } from '../../../core/job/view/jobStatus.ts';
import { unfinishedConversations } from '../../../core/project/conversations.ts';
import type { OpenedEngine } from '../../../engine/workspace/workspace.ts';
import { MAIN_PROJECT } from '../../../shared/project/projects.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Context, command } from '../context.ts';

export interface Running {
  /** Id of the job or the task, or the name of the project. */
  readonly id: string;
  readonly text: string;
}

/** Jobs, tasks and conversations that this process works on. Empty if another process is the owner. */
export async function runningHere(engine: OpenedEngine): Promise<readonly Running[]> {
  if (!engine.owner) return [];
  const { state } = engine;
  const { works, jobs, turns } = await engine.atWork();
  if (!works) return [];
  const running = [...state.jobs.values()].filter((job) => goesOnByItself(job) && jobs.includes(job.id));
  const tasks = [...state.tasks.values()].filter(({ status }) => status === 'RUNNING');
  // If the cost of its last call is unknown, the state alone does not show whether a turn has ended.
  const unfinished = unfinishedConversations(state);
  const talks = turns.filter((id) => unfinished.has(id));
  return [
    ...running.map(({ id, status, title }) => ({ id, text: `job ${id} (${status}): ${visibleLine(title)}` })),
    ...tasks.map(({ id, name }) => ({ id, text: `task ${id}: ${visibleLine(name)}` })),
    ...talks.map((id) => ({ id, text: `answer of ${id === MAIN_PROJECT ? 'the main agent' : visibleLine(id)}` })),
  ];
}

/** Logs each job, task and answer that this process resumed. */
export async function sayResumed(engine: OpenedEngine, say: (text: string) => void): Promise<void> {
  for (const { text } of await runningHere(engine)) say(`Resumed: ${text}`);
}

/** Text for a person who is about to quit. */
export function quitText(context: Context, running: readonly Running[]): string {
  return [
    'This process works on:',
    ...running.map(({ text }) => `  ${text}`),
    `If you quit, this work stops. The next ${command(context, 'chat')} resumes it; what was paid for is kept.`,
    'Type /quit again to quit.',
  ].join('\n');
}

/** Text for a process that ends without asking. Null if no work stops with it. */
export function stoppedText(context: Context, running: readonly Running[]): string | null {
  if (running.length === 0) return null;
  const list = running.map(({ text }) => text).join('; ');
  return `stopped with this process: ${list}. To resume: ${command(context, 'chat')}`;
}
