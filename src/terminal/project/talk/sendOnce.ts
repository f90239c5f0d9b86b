/** Sends one message to a project, and prints its messages until its conversation is at rest. */

import { isAtWork } from '../../../core/job/view/jobStatus.ts';
import { repliesTo } from '../../../core/project/replies.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { need } from '../../../core/state/rows.ts';
import { approvalText, howToAnswer } from '../../approval/approvalText.ts';
import { command, print } from '../../screen/context.ts';
import { markShown } from '../../screen/run/markShown.ts';
import { conversationWaits } from '../../screen/run/waits.ts';
import { visibleBlock, visibleLine } from '../../text/visible.ts';
import type { Chat } from './chatLoop.ts';
import { stayForWork } from './staying.ts';
import { type End, saidSince, waitForReply } from './waitForReply.ts';

export interface Sending {
  readonly project: string;
  readonly text: string;
  readonly relayedFrom: number | null;
}

/**
 * Prints the project's replies, then stays while work that the message started runs here. Returns 0 if it replied, or took a message that was
 * relayed; 3 if a question needs the steward; 1 if it ended its turn without a reply or cannot continue.
 */
export async function sendOnce(chat: Chat, sending: Sending): Promise<number> {
  const { context, connection } = chat;
  const { project } = sending;
  const { messageId } = await connection.engine.request('sendMessage', sending);
  const waits = conversationWaits(context, project, () => connection.state);
  const looked = (): void => waits.look();
  const end = (await waitForReply(chat, { project, sent: messageId, looked })) ?? { kind: 'rests' };
  const { state } = connection;
  const said =
    sending.relayedFrom === null
      ? repliesTo(state, need(state, 'messages', messageId))
      : saidSince(state, project, messageId);
  await markShown(connection, said);
  const json = {
    message: { id: messageId, project },
    replies: said.map(({ id, text }) => ({ id, text })),
    ...(end.kind === 'asks' ? { approval: end.approval } : {}),
    ...(end.kind === 'parked' ? { parked: end.reason } : {}),
  };
  const replies = said.map(({ text }) => visibleBlock(text));
  print(context, json, [...replies, ...endText(chat, sending, end, said.length)].join('\n'));
  if (end.kind === 'rests') await stayForWork(chat, { project, sent: messageId });
  const isReplied = sending.relayedFrom !== null || said.some(({ sender }) => sender === 'project');
  return { rests: isReplied ? 0 : 1, asks: 3, parked: 1 }[end.kind];
}

function endText({ context, connection }: Chat, { project, relayedFrom }: Sending, end: End, said: number): string[] {
  if (end.kind === 'parked') return [`It cannot continue: ${visibleLine(end.reason)}`];
  if (end.kind === 'asks') {
    const { approval } = end;
    return [approvalText(context, approval, undefined), howToAnswer(context, approval, connection.state)];
  }
  return [
    ...(said === 0 ? [relayedFrom === null ? 'It took the message and did not reply.' : 'It took the message.'] : []),
    ...jobText({ context, connection }, project),
  ];
}

/** Text about the newest open job. If this process runs it, the process stays and reports on it. */
function jobText({ context, connection }: Pick<Chat, 'context' | 'connection'>, project: string): string[] {
  const open = [...connection.state.jobs.values()].findLast(
    (row) => row.project_id === project && !isFinal(JOB, row.status),
  );
  const { owner } = connection.engine;
  if (open === undefined || (owner && isAtWork(open))) return [];
  const follow = command(context, `run --resume ${open.id}`);
  return [
    owner ? `It has an open job: ${follow}` : `Job ${open.id} continues in another process. To follow: ${follow}`,
  ];
}
