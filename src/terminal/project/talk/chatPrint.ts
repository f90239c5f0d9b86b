/** Prints messages and events above the line of input. */
import { projectMessages } from '../../../core/state/rows.ts';
import { messageOf } from '../../../shared/errors.ts';
import { MAIN_PROJECT, type MessageRow } from '../../../shared/project/projects.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { jobEndedLine } from '../../job/run/jobEnded.ts';
import { type Context, command } from '../../screen/context.ts';
import type { Connection } from '../../screen/run/connection.ts';
import { eventLine } from '../../screen/run/eventLine.ts';
import type { Tone } from '../../text/paint.ts';
import { visibleBlock, visibleLine } from '../../text/visible.ts';
import { questionText } from './chatTexts.ts';

export interface ChatScreen {
  readonly context: Context;
  readonly connection: Connection;
}

export type Say = (text: string, tone?: Tone) => void;

/** Messages of the main agent's conversation that a chat shows at its start, and unread messages of projects. */
const HISTORY = 10;

const UNREAD = 20;

/** The end of the conversation with the main agent as far as it was read. */
export function history(state: State): MessageRow[] {
  return projectMessages(state, MAIN_PROJECT)
    .filter((row) => (row.direction === 'out' ? row.read_at !== null : row.sender === 'steward'))
    .slice(-HISTORY);
}

export const historyText = ({ direction, text }: MessageRow): string =>
  direction === 'in' ? `> ${visibleBlock(text)}` : visibleBlock(text);

/** Shows the messages of the main agent and the projects that arrived while no chat was open, the oldest first. */
export function printUnread(chat: ChatScreen, say: Say): void {
  const unread = [...chat.connection.state.messages.values()].filter(
    (row) => row.direction === 'out' && row.read_at === null,
  );
  for (const row of unread.slice(0, UNREAD)) printMessage(chat, say, row);
  const rest = new Set(unread.slice(UNREAD).map(({ project_id }) => project_id));
  if (rest.size === 0) return;
  const names = [...rest].map((name) => command(chat.context, `project messages ${name}`));
  say(`${unread.length - UNREAD} more unread messages: ${names.join(', ')}`, 'warning');
}

const SHOWN =
  /^(project_|job_(completed|failed|cancelled)|task_(started|completed|failed|cancelled|paused)|brief_submitted)/;

/** The questions of an event. Some events contain the question that they cause. */
function askedIn(event: Event): readonly number[] {
  switch (event.type) {
    case 'approval_requested':
    case 'task_step_asked':
      return [event.approval.id];
    case 'attempt_ended':
    case 'task_paused':
      return event.approval === null ? [] : [event.approval.id];
    case 'baseline_checked':
      return event.approval === undefined ? [] : [event.approval.id];
    case 'task_stepped':
      return event.started.flatMap(({ approval }) => (approval === null ? [] : [approval.id]));
    default:
      return [];
  }
}

export function printEvent(chat: ChatScreen, say: Say, event: Event): void {
  const { context, connection } = chat;
  const { state } = connection;
  const asked = askedIn(event);
  for (const id of asked) say(questionText(context, state, id), 'warning');
  const said = 'message' in event ? event.message : null;
  const message = said === null || typeof said !== 'object' ? undefined : state.messages.get(said.id);
  if (message?.direction === 'out') {
    printMessage(chat, say, message);
    return;
  }
  if (asked.length > 0) return;
  // The main agent is the partner of the chat, not a project of the user.
  if (event.type === 'project_created' && event.project.id === MAIN_PROJECT) return;
  // Messages of the person or the main agent are on the screen already, or in its reply.
  if (message === undefined ? !SHOWN.test(event.type) : message.relayed_from === null) return;
  if (message !== undefined) {
    // Its text was shown when its project sent it.
    say(
      `${visibleLine(message.project_id)} got message ${message.relayed_from} of ${visibleLine(originOf(state, message))}.`,
      'faint',
    );
    return;
  }
  const line = jobEndedLine(event, state) ?? eventLine(event, state, context);
  if (line !== null) say(line.text, line.tone);
}

const originOf = (state: State, { relayed_from }: MessageRow): string =>
  state.messages.get(relayed_from ?? 0)?.project_id ?? 'a project';

/** A message that is shown counts as read by the steward. */
function printMessage(
  { connection }: ChatScreen,
  say: Say,
  { id, project_id, task_id, concerns, text }: MessageRow,
): void {
  const task = task_id === null ? '' : `, task ${visibleLine(connection.state.tasks.get(task_id)?.name ?? task_id)}`;
  const about = concerns === null ? '' : ` (message ${id}, concerns ${visibleLine(concerns)})`;
  const who = `${visibleLine(project_id)}${task}${about}`;
  say(project_id === MAIN_PROJECT ? visibleBlock(text) : `${who}: ${visibleBlock(text)}`);
  connection.engine.request('markRead', { project: project_id, upTo: id }).catch((thrown: unknown) => {
    // The message stays unread, and is shown again.
    say(`Warning: ${visibleLine(messageOf(thrown))}`, 'warning');
  });
}
