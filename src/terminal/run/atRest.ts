/** A project's conversation after a message to it: until it rests, or cannot go on without a person. */
import { hasEnded, repliesTo } from '../../core/replies.ts';
import { projectMessages } from '../../core/rows.ts';
import { pendingApprovals } from '../../core/stewardship.ts';
import type { ApprovalKind, ApprovalRow } from '../../shared/approvals.ts';
import { failure } from '../../shared/errors.ts';
import type { MessageRow } from '../../shared/projects.ts';
import type { State } from '../../shared/state.ts';
import type { Chat } from './chatLoop.ts';

/**
 * Milliseconds in which nothing happens, after which a conversation is at rest. It needs less between two calls of its model, and to
 * begin a turn about a job that ended.
 */
const REST_MS = 3_000;
/** Questions that its conversation does not wait for. */
const BESIDE: readonly ApprovalKind[] = ['relay', 'definition'];

export type End =
  | { readonly kind: 'rests' }
  | { readonly kind: 'asks'; readonly approval: ApprovalRow }
  | { readonly kind: 'parked'; readonly reason: string };

interface Waiting {
  readonly project: string;
  /** The message that it is to take. */
  readonly sent: number;
  /** Something happened: what was said since can be looked at. */
  looked?(): void;
  /** Nobody waits any more; null is the answer then. */
  readonly signal?: AbortSignal;
}

/** Throws ABORTED when the person stops this process. */
export async function atRest(chat: Chat, waiting: Waiting): Promise<End | null> {
  const { connection, stop } = chat;
  const { project, sent, looked, signal } = waiting;
  const wake = (): void => stop.bell.ring();
  signal?.addEventListener('abort', wake, { once: true });
  let rested = false;
  for (;;) {
    const next = stop.bell.next();
    if (stop.times > 0) throw failure('ABORTED', 'stopped; the message is kept, and taken when an owner runs');
    if (signal?.aborted === true) return null;
    if (connection.lost !== null) {
      await stop.orKilled(connection.reopen());
      continue;
    }
    const { state } = connection;
    looked?.();
    const end = stopped(state, project);
    if (end !== null) return end;
    const calm = isCalm(state, project, sent);
    const message = state.messages.get(sent);
    if (calm && message !== undefined && hasEnded(repliesTo(state, message))) return { kind: 'rests' };
    if (calm && rested) return { kind: 'rests' };
    if (calm) rested = await staysCalm(chat, next);
    else {
      await next;
      rested = false;
    }
  }
}

/** Waits for `next`, a ring of the bell, for at most `REST_MS`. Returns whether that time passed. */
export async function staysCalm({ context, stop }: Chat, next: Promise<void>): Promise<boolean> {
  let passed = false;
  const cancel = context.deps.clock.timer(REST_MS, () => {
    passed = true;
    stop.bell.ring();
  });
  await next;
  cancel();
  return passed;
}

/** Whether a call or a question belongs to a project's conversation. */
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

/** The message is taken, and no call of its conversation is in flight or waits. */
function isCalm(state: State, project: string, sent: number): boolean {
  if (state.messages.get(sent)?.read_at == null || (state.projects.get(project)?.wait ?? null) !== null) return false;
  return ![...state.spends.values()].some(
    (row) => row.project_id === project && isOfConversation(row) && row.status === 'reserved',
  );
}

export const saidSince = (state: State, project: string, message: number): MessageRow[] =>
  projectMessages(state, project).filter((row) => row.direction === 'out' && row.id > message);
