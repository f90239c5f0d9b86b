/** Sends one message to the main agent, prints its reply, and stays for the work that the message started here. */

import { pendingApprovals } from '../../../core/approval/stewardship.ts';
import { repliesTo } from '../../../core/project/replies.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure } from '../../../shared/errors.ts';
import { MAIN_PROJECT, type MessageRow } from '../../../shared/project/projects.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { approvalText, howToAnswer } from '../../approval/approvalText.ts';
import { print } from '../../screen/context.ts';
import { markShown } from '../../screen/run/markShown.ts';
import { conversationWaits } from '../../screen/run/waits.ts';
import { visibleBlock, visibleLine } from '../../text/visible.ts';
import type { Chat } from './chatLoop.ts';
import { stayForWork } from './staying.ts';

type Outcome =
  | { readonly kind: 'reply'; readonly message: MessageRow }
  | { readonly kind: 'asks'; readonly approval: ApprovalRow }
  | { readonly kind: 'parked'; readonly reason: string };

/** Returns 0 if it replied, 3 if a question needs the steward first, and 1 if it cannot answer. */
export async function chatOnce(chat: Chat, text: string): Promise<number> {
  const { context, connection, start } = chat;
  const { messageId } = await connection.engine.request('sendMessage', { project: MAIN_PROJECT, text, ...start });
  const outcome = await outcomeOf(chat, messageId);
  const sent = { message: { id: messageId } };
  switch (outcome.kind) {
    case 'reply': {
      const { id, text: reply } = outcome.message;
      await markShown(connection, [outcome.message]);
      print(context, { ...sent, reply: { id, text: reply } }, visibleBlock(reply));
      await stayForWork(chat, { project: MAIN_PROJECT, sent: messageId });
      return outcome.message.sender === 'main' ? 0 : 1;
    }
    case 'asks': {
      const { approval } = outcome;
      const question = `${approvalText(context, approval, undefined)}\n${howToAnswer(context, approval, connection.state)}`;
      print(context, { ...sent, reply: null, approval }, question);
      return 3;
    }
    case 'parked':
      print(
        context,
        { ...sent, reply: null, parked: outcome.reason },
        `It cannot answer: ${visibleLine(outcome.reason)}`,
      );
      return 1;
  }
}

async function outcomeOf({ context, connection, stop }: Chat, sent: number): Promise<Outcome> {
  const waits = conversationWaits(context, MAIN_PROJECT, () => connection.state);
  for (;;) {
    const next = stop.bell.next();
    if (stop.times > 0) throw failure('ABORTED', 'stopped; the message is kept, and answered when an owner runs');
    if (connection.lost !== null) {
      await stop.orKilled(connection.reopen());
      continue;
    }
    const outcome = known(connection.state, sent);
    if (outcome !== null) return outcome;
    waits.look();
    await next;
  }
}

/** Returns null while there is no outcome. */
function known(state: State, sent: number): Outcome | null {
  const asked = state.messages.get(sent);
  const message = asked === undefined ? undefined : repliesTo(state, asked).at(0);
  if (message !== undefined) return { kind: 'reply', message };
  const approval = pendingApprovals(state).find((row) => row.project_id === MAIN_PROJECT && row.job_id === null);
  if (approval !== undefined) return { kind: 'asks', approval };
  const reason = state.projects.get(MAIN_PROJECT)?.parked ?? null;
  return reason === null ? null : { kind: 'parked', reason };
}
