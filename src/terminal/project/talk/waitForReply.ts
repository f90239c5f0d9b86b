/** Waits for a project's conversation after a message to it, until it is at rest, or cannot continue without a person. */

import { pendingApprovals } from '../../../core/approval/stewardship.ts';
import { hasEnded, repliesTo } from '../../../core/project/replies.ts';
import { projectMessages } from '../../../core/state/rows.ts';
import type { ApprovalKind, ApprovalRow } from '../../../shared/approval.ts';
import { failure, findFailure } from '../../../shared/errors.ts';
import type { MessageRow } from '../../../shared/project/projects.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Chat } from './chatLoop.ts';

/** Milliseconds after which the owner is asked again: the end of a turn is not always an event. */
const LOOK_MS = 500;
/** Questions that its conversation does not wait for. */
const BESIDE: readonly ApprovalKind[] = ['relay', 'definition'];

export type End =
  | { readonly kind: 'rests' }
  | { readonly kind: 'asks'; readonly approval: ApprovalRow }
  | { readonly kind: 'parked'; readonly reason: string };

interface Waiting {
  readonly project: string;
  /** The message that the conversation must take. */
  readonly sent: number;
  /** Called after a change: new messages can be read. */
  looked?(): void;
  /** Aborts the wait; then the result is null. */
  readonly signal?: AbortSignal;
}

/** Throws ABORTED when the person stops this process. */
export async function waitForReply(chat: Chat, waiting: Waiting): Promise<End | null> {
  const { connection, stop } = chat;
  const { project, looked, signal } = waiting;
  const wake = (): void => stop.bell.ring();
  signal?.addEventListener('abort', wake, { once: true });
  for (;;) {
    const next = stop.bell.next();
    if (stop.times > 0) throw failure('ABORTED', 'stopped; the message is kept, and taken when an owner runs');
    if (signal?.aborted === true) return null;
    if (connection.lost !== null) {
      await stop.orKilled(connection.reopen());
      continue;
    }
    const isOver = await turnIsOver(chat, waiting);
    looked?.();
    const end = stopped(connection.state, project);
    if (end !== null) return end;
    if (isOver) return { kind: 'rests' };
    await ringOrLater(chat, next);
  }
}

/** Waits for `next`, a ring of the bell, or at most `LOOK_MS`. */
export async function ringOrLater({ context, stop }: Chat, next: Promise<void>): Promise<void> {
  const cancel = context.deps.clock.timer(LOOK_MS, () => stop.bell.ring());
  await next;
  cancel();
}

/** The owner's current work. Null if the owner was lost meanwhile: then the bell rings. */
export async function atWorkNow({ connection }: Chat): Promise<AtWork | null> {
  try {
    return await connection.engine.atWork();
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'OWNER_UNREACHABLE') throw thrown;
    return null;
  }
}

/** Whether a question belongs to a project's conversation. */
export const isOfConversation = (row: Pick<ApprovalRow, 'job_id' | 'task_id'>): boolean =>
  row.job_id === null && row.task_id === null;

function stopped(state: State, project: string): End | null {
  const approval = pendingApprovals(state).find(
    (row) => row.project_id === project && isOfConversation(row) && !BESIDE.includes(row.kind),
  );
  if (approval !== undefined) return { kind: 'asks', approval };
  const row = state.projects.get(project);
  if (row?.status === 'active' && row.parked === null) return null;
  return { kind: 'parked', reason: row?.parked ?? `project ${project} is ${row?.status ?? 'gone'}` };
}

/** Whether the message was taken, and is answered or its conversation has no more turns. */
async function turnIsOver(chat: Chat, { project, sent }: Waiting): Promise<boolean> {
  const { state } = chat.connection;
  const message = state.messages.get(sent);
  if (message?.read_at == null) return false;
  if (hasEnded(repliesTo(state, message))) return true;
  const atWork = await atWorkNow(chat);
  return atWork?.turns.includes(project) === false;
}

export const saidSince = (state: State, project: string, message: number): MessageRow[] =>
  projectMessages(state, project).filter((row) => row.direction === 'out' && row.id > message);
