/** One message to the main agent, and its reply. */
import { pendingApprovals } from '../../core/stewardship.ts';
import type { ApprovalRow } from '../../shared/approvals.ts';
import { failure } from '../../shared/errors.ts';
import { MAIN_PROJECT, type MessageRow } from '../../shared/projects.ts';
import type { State } from '../../shared/state.ts';
import { approvalText, howToAnswer } from '../approvalText.ts';
import { print } from '../context.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';
import type { Chat } from './chatLoop.ts';
import { conversationWaits } from './waits.ts';

type Outcome =
  | { readonly kind: 'reply'; readonly message: MessageRow }
  | { readonly kind: 'asks'; readonly approval: ApprovalRow }
  | { readonly kind: 'parked'; readonly reason: string };

/** 0: it replied; 3: a question waits for the steward first; 1: it cannot answer. */
export async function chatOnce(chat: Chat, text: string): Promise<number> {
  const { context, connection, start } = chat;
  const { messageId } = await connection.engine.wish('sendMessage', { project: MAIN_PROJECT, text, ...start });
  const outcome = await outcomeOf(chat, messageId);
  const sent = { message: { id: messageId } };
  switch (outcome.kind) {
    case 'reply': {
      const { id, text: reply } = outcome.message;
      await connection.engine.wish('markRead', { project: MAIN_PROJECT, upTo: id });
      print(context, { ...sent, reply: { id, text: reply } }, visibleBlock(reply));
      return 0;
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

/** What was said after the message was taken; null: nothing yet. */
function known(state: State, sent: number): Outcome | null {
  const heard = state.messages.get(sent)?.read_at != null;
  const message = [...state.messages.values()].find(
    (row) => row.project_id === MAIN_PROJECT && row.direction === 'out' && row.id > sent && row.sender !== 'heartbeat',
  );
  if (heard && message !== undefined) return { kind: 'reply', message };
  const approval = pendingApprovals(state).find((row) => row.project_id === MAIN_PROJECT && row.job_id === null);
  if (approval !== undefined) return { kind: 'asks', approval };
  const reason = state.projects.get(MAIN_PROJECT)?.parked ?? null;
  return reason === null ? null : { kind: 'parked', reason };
}
