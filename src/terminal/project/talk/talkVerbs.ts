/** `project send` and `project messages`. */

import { conversationView } from '../../../core/project/projectView.ts';
import { need, projectMessages } from '../../../core/state/rows.ts';
import type { ConversationMessage } from '../../../shared/project/projectView.ts';
import { type Context, command, print, readState, request, withEngine } from '../../screen/context.ts';
import { moment, plural } from '../../text/format.ts';
import { parseCount, parseId, usage } from '../../text/parse.ts';
import { indented, visibleLine } from '../../text/visible.ts';
import { talking } from './chat.ts';
import { sendOnce } from './sendOnce.ts';

export interface SendOptions {
  /** A message of another project that is relayed. */
  readonly relay?: string;
  readonly wait?: true;
}

export async function sendVerb(
  context: Context,
  project: string,
  words: readonly string[],
  options: SendOptions,
): Promise<number> {
  const relayedFrom = options.relay === undefined ? null : parseId(options.relay, 'message');
  if (relayedFrom !== null && words.length > 0)
    throw usage('a message is passed on word for word: give no text with --relay');
  const given = words.length === 1 && words[0] === '-' ? await context.deps.io.readStdin() : words.join(' ');
  const text = relayedFrom === null ? given : await passedText(context, relayedFrom, project);
  if (text.trim() === '') throw usage('say what to send', 'Give it in quotes, or by - from the input.');
  if (options.wait === true)
    return talking(context, {}, 'asked', (chat) => sendOnce(chat, { project, text, relayedFrom }));
  const { messageId, owner } = await withEngine(context, async (engine) => ({
    ...(await engine.request('sendMessage', { project, text, relayedFrom })),
    owner: engine.owner,
  }));
  const next = owner
    ? `No owner is running: the message is read when one starts, e.g. ${command(context, 'chat')}. To wait for the reply, send with --wait.`
    : `Its answers: ${command(context, `project messages ${project}`)}`;
  print(
    context,
    { message: { id: messageId, project } },
    `Sent message ${messageId} to ${visibleLine(project)}\n${next}`,
  );
  return 0;
}

async function passedText(context: Context, id: number, to: string): Promise<string> {
  const message = need(await readState(context), 'messages', id);
  if (message.direction === 'out' && message.project_id !== to) return message.text;
  throw usage(`message ${id} is not from a project other than ${visibleLine(to)}`);
}

export interface MessagesOptions {
  readonly last?: string;
  readonly keepUnread?: true;
}

export async function messagesVerb(context: Context, project: string, options: MessagesOptions): Promise<number> {
  const state = await readState(context);
  need(state, 'projects', project);
  const last = options.last === undefined ? 20 : parseCount(options.last, '--last', 1, 1_000);
  const view = conversationView(state, project, last);
  const unread = projectMessages(state, project).findLast((row) => row.direction === 'out' && row.read_at === null);
  print(context, { ...view }, context.json ? '' : messagesText(context, view.messages, view.earlier));
  // Printed messages count as seen by a person, unless a program passes --keep-unread.
  if (unread !== undefined && options.keepUnread !== true)
    await request(context, 'markRead', { project, upTo: unread.id });
  return 0;
}

const SAID_BY = {
  steward: 'you',
  main: 'the main agent',
  engine: 'the engine',
  heartbeat: 'the heartbeat',
  task: 'a task',
} as const;

/** The sender of a message, in a few words. */
export function sayer(message: Pick<ConversationMessage, 'sender' | 'relayedFrom'>, project: string): string {
  if (message.sender === 'project') return visibleLine(message.relayedFrom ?? project);
  return SAID_BY[message.sender];
}

function messagesText(context: Context, messages: readonly ConversationMessage[], earlier: number): string {
  if (messages.length === 0) return 'No messages yet.';
  const blocks = messages.map((message) => {
    const { id, direction, concerns, passedTo = [], at, read_at, text } = message;
    const way = direction === 'in' ? '->' : '<-';
    const fresh = direction === 'out' && read_at === null ? ' (new)' : '';
    const isPassed = concerns !== null && passedTo.includes(concerns);
    const about = concerns === null || isPassed ? '' : `, concerns ${visibleLine(concerns)}`;
    const got = passedTo.length === 0 ? '' : `, passed on to ${passedTo.map(visibleLine).join(', ')}`;
    const head = `${way} ${id} ${sayer(message, 'the project')}${about}${got}, ${moment(at, context.deps.clock)}${fresh}`;
    return `${context.paint(head, fresh === '' ? 'faint' : 'strong')}\n${indented(text)}`;
  });
  const before = earlier === 0 ? [] : [context.paint(`… ${plural(earlier, 'message')} before`, 'faint')];
  return [...before, ...blocks].join('\n');
}
