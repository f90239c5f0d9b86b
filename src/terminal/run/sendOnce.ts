/** One message to a project, and what it says until its conversation rests. */

import { isFinal, JOB } from '../../core/machines.ts';
import { projectMessages } from '../../core/rows.ts';
import { pendingApprovals } from '../../core/stewardship.ts';
import type { ApprovalKind, ApprovalRow } from '../../shared/approvals.ts';
import { failure } from '../../shared/errors.ts';
import type { MessageRow } from '../../shared/projects.ts';
import type { State } from '../../shared/state.ts';
import { approvalText, howToAnswer } from '../approvalText.ts';
import { command, print } from '../context.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';
import type { Chat } from './chatLoop.ts';

/** Without a call of a model for that long, it is done: what it does between two of them takes less. */
const REST_MS = 3_000;
/** Questions that its conversation does not wait for. */
const BESIDE: readonly ApprovalKind[] = ['relay', 'definition'];

export interface Sending {
  readonly project: string;
  readonly text: string;
  readonly relayedFrom: number | null;
}

type End =
  | { readonly kind: 'rests' }
  | { readonly kind: 'asks'; readonly approval: ApprovalRow }
  | { readonly kind: 'parked'; readonly reason: string };

/** 0: it rests; 3: a question waits for the steward; 1: it cannot go on. What it said is printed in each case. */
export async function sendOnce(chat: Chat, sending: Sending): Promise<number> {
  const { context, connection } = chat;
  const { project } = sending;
  const { messageId } = await connection.engine.wish('sendMessage', sending);
  const end = await endOf(chat, project, messageId);
  const said = saidSince(connection.state, project, messageId);
  const last = said.at(-1);
  if (last !== undefined) await connection.engine.wish('markRead', { project, upTo: last.id });
  const json = {
    message: { id: messageId, project },
    replies: said.map(({ id, text }) => ({ id, text })),
    ...(end.kind === 'asks' ? { approval: end.approval } : {}),
    ...(end.kind === 'parked' ? { parked: end.reason } : {}),
  };
  const replies = said.map(({ text }) => visibleBlock(text));
  print(context, json, [...replies, ...endText(chat, sending, end, said.length)].join('\n'));
  return { rests: 0, asks: 3, parked: 1 }[end.kind];
}

function endText({ context, connection }: Chat, { project }: Sending, end: End, said: number): string[] {
  if (end.kind === 'parked') return [`It cannot go on: ${visibleLine(end.reason)}`];
  if (end.kind === 'asks') return [approvalText(context, end.approval, undefined), howToAnswer(context, end.approval)];
  const open = [...connection.state.jobs.values()].findLast(
    (row) => row.project_id === project && !isFinal(JOB, row.status),
  );
  return [
    ...(said === 0 ? ['It has taken the message, and said nothing.'] : []),
    ...(open === undefined ? [] : [`It has an open job: ${command(context, `run --resume ${open.id}`)}`]),
  ];
}

async function endOf({ context, connection, stop }: Chat, project: string, sent: number): Promise<End> {
  let rested = false;
  for (;;) {
    const next = stop.bell.next();
    if (stop.times > 0) throw failure('ABORTED', 'stopped; the message is kept, and taken when an owner runs');
    if (connection.lost !== null) {
      await stop.orKilled(connection.reopen());
      continue;
    }
    const { state } = connection;
    const end = stopped(state, project);
    if (end !== null) return end;
    const calm = isCalm(state, project, sent);
    if (calm && rested) return { kind: 'rests' };
    rested = false;
    const cancel = calm
      ? context.deps.clock.timer(REST_MS, () => {
          rested = true;
          stop.bell.ring();
        })
      : () => undefined;
    await next;
    cancel();
  }
}

function stopped(state: State, project: string): End | null {
  const approval = pendingApprovals(state).find(
    (row) => row.project_id === project && row.job_id === null && row.task_id === null && !BESIDE.includes(row.kind),
  );
  if (approval !== undefined) return { kind: 'asks', approval };
  const row = state.projects.get(project);
  if (row?.status === 'active' && row.parked === null) return null;
  return { kind: 'parked', reason: row?.parked ?? `project ${project} is ${row?.status ?? 'gone'}` };
}

/** The message is taken, and no call of its conversation is under way. */
function isCalm(state: State, project: string, sent: number): boolean {
  if (state.messages.get(sent)?.read_at == null) return false;
  return ![...state.spends.values()].some(
    (row) => row.project_id === project && row.job_id === null && row.task_id === null && row.status === 'reserved',
  );
}

const saidSince = (state: State, project: string, sent: number): MessageRow[] =>
  projectMessages(state, project).filter((row) => row.direction === 'out' && row.id > sent);
