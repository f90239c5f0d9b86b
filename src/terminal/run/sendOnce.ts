/** One message to a project, and what it says until its conversation rests. */

import { isFinal, JOB } from '../../core/machines.ts';
import { approvalText, howToAnswer } from '../approvalText.ts';
import { command, print } from '../context.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';
import { atRest, type End, saidSince } from './atRest.ts';
import type { Chat } from './chatLoop.ts';
import { conversationWaits } from './waits.ts';

export interface Sending {
  readonly project: string;
  readonly text: string;
  readonly relayedFrom: number | null;
}

/** 0: it rests; 3: a question waits for the steward; 1: it cannot go on. What it said is printed in each case. */
export async function sendOnce(chat: Chat, sending: Sending): Promise<number> {
  const { context, connection } = chat;
  const { project } = sending;
  const { messageId } = await connection.engine.wish('sendMessage', sending);
  const waits = conversationWaits(context, project, () => connection.state);
  const looked = (): void => waits.look();
  const end = (await atRest(chat, { project, sent: messageId, looked })) ?? { kind: 'rests' };
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
  if (end.kind === 'asks') {
    const { approval } = end;
    return [approvalText(context, approval, undefined), howToAnswer(context, approval, connection.state)];
  }
  const open = [...connection.state.jobs.values()].findLast(
    (row) => row.project_id === project && !isFinal(JOB, row.status),
  );
  return [
    ...(said === 0 ? ['It has taken the message, and said nothing.'] : []),
    ...(open === undefined ? [] : [`It has an open job: ${command(context, `run --resume ${open.id}`)}`]),
  ];
}
