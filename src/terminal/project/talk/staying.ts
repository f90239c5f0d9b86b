/** Keeps a process that waited for an answer alive while work that the message started runs in it: no paid call is cut off. */

import { jobAsked, pendingApprovals } from '../../../core/approval/stewardship.ts';
import { isAtWork } from '../../../core/job/view/jobStatus.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { projectMessages } from '../../../core/state/rows.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { aboutText, approvalText, howToAnswer } from '../../approval/approvalText.ts';
import { type Context, command } from '../../screen/context.ts';
import { markShown } from '../../screen/run/markShown.ts';
import { visibleBlock, visibleLine } from '../../text/visible.ts';
import type { Chat } from './chatLoop.ts';
import { atWorkNow, isOfConversation, ringOrLater } from './waitForReply.ts';

interface Work {
  readonly kind: 'job' | 'task' | 'conversation';
  readonly id: string;
  /** The work that the process is waiting for. Null for a conversation: its answer is shown when it arrives. */
  readonly text: string | null;
}

/** The sent message and its receiver. */
interface Sent {
  readonly project: string;
  readonly sent: number;
}

/** Jobs of this process, tasks that were started since `since`, and conversations with a turn. */
function workUnderWay(state: State, { works, jobs, turns }: AtWork, since: string): readonly Work[] {
  if (!works) return [];
  const running = [...state.jobs.values()].filter((job) => isAtWork(job) && jobs.includes(job.id));
  const asked = new Set(pendingApprovals(state).map(({ task_id }) => task_id));
  const tasks = [...state.tasks.values()].filter(
    ({ id, status, started_at }) => status === 'RUNNING' && (started_at ?? '') >= since && !asked.has(id),
  );
  return [
    ...running.map(({ id, status, title }): Work => {
      return { kind: 'job', id, text: `job ${id} (${status}) ends or asks: ${visibleLine(title)}` };
    }),
    ...tasks.map(({ id, name }): Work => {
      return { kind: 'task', id, text: `task ${id} ends or asks: ${visibleLine(name)}` };
    }),
    ...unheld(state, turns).map((id): Work => ({ kind: 'conversation', id, text: null })),
  ];
}

/** Those of these projects whose conversation can continue without a person, and is not waiting for a time. */
function unheld(state: State, turns: readonly string[]): readonly string[] {
  const asked = pendingApprovals(state).filter(({ kind }) => kind === 'limit' || kind === 'provider');
  const held = new Set(asked.filter(isOfConversation).map(({ project_id }) => project_id));
  return turns.filter((id) => {
    const row = state.projects.get(id);
    return row?.status === 'active' && row.parked === null && row.wait === null && !held.has(id);
  });
}

/** Resolves when no such work is left, immediately if another process is the owner, or when the user stops this process. */
export async function stayForWork(chat: Chat, message: Sent): Promise<void> {
  const { context, connection, stop } = chat;
  const waited = new Map<string, Work>();
  const since = connection.state.messages.get(message.sent)?.at ?? '';
  const shown = projectMessages(connection.state, message.project).at(-1)?.id ?? 0;
  for (;;) {
    const next = stop.bell.next();
    if (stop.times > 0 || connection.lost !== null || !connection.engine.owner) break;
    const atWork = await atWorkNow(chat);
    if (atWork === null) break;
    const work = workUnderWay(connection.state, atWork, since);
    for (const one of work) {
      const key = `${one.kind} ${one.id}`;
      if (one.text !== null && !waited.has(key)) line(context, `Waiting until ${one.text}`);
      waited.set(key, one);
    }
    if (work.length === 0) break;
    await ringOrLater(chat, next);
  }
  if (waited.size > 0) await printOutcome(chat, { ...message, shown }, waited);
}

/** Prints how the jobs ended, their questions, and the project's messages after message `shown`. With `--json`, the answer was printed before. */
async function printOutcome(
  { context, connection }: Chat,
  { project, shown }: Sent & { readonly shown: number },
  waited: ReadonlyMap<string, Work>,
): Promise<void> {
  const { state } = connection;
  if (context.json) return;
  for (const { kind, id } of waited.values()) {
    const row = kind === 'job' ? state.jobs.get(id) : undefined;
    if (row === undefined) continue;
    const asked = pendingApprovals(state).filter(({ job_id }) => job_id === id);
    for (const one of asked) {
      const about = `  ${aboutText(state, one)}`;
      const question = approvalText(context, one, jobAsked(state, one), state);
      line(context, [question, about, howToAnswer(context, one, state)].join('\n'));
    }
    const more = isFinal(JOB, row.status) ? '' : ` To continue it: ${command(context, `run --resume ${id}`)}`;
    line(context, asked.length > 0 ? `Job ${id} needs your answer.${more}` : `${endedText(row)}${more}`);
  }
  const said = projectMessages(state, project).filter(
    (row) => row.direction === 'out' && row.read_at === null && row.id > shown,
  );
  for (const { text } of said) line(context, visibleBlock(text));
  await markShown(connection, said);
}

function endedText({ id, status, reason }: JobRow): string {
  const text = `Job ${id} is ${status.replaceAll('_', ' ')}${reason === null ? '' : `: ${visibleLine(reason)}`}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function line(context: Context, text: string): void {
  const { io } = context.deps;
  (context.json ? io.err : io.out)(`${text}\n`);
}
