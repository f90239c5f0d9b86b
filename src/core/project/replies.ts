/** Decides which turns of a conversation owe an answer, and to whom. */
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { projectMessages } from '../state/rows.ts';

const MINUTE_MS = 60_000;
/** Replies of one project to the main agent that start a turn of it, per hour. Further replies are read with its next turn. */
const MOST_IN_HOUR = 10;

const asks = ({ direction, sender }: MessageRow): boolean =>
  direction === 'in' && (sender === 'steward' || sender === 'main');

/** The newest of these messages that the steward or the main agent sent; null if neither asked. */
export function askedIn(state: State, messages: readonly number[]): MessageRow | null {
  const rows = messages.flatMap((id) => state.messages.get(id) ?? []);
  return rows.findLast(asks) ?? null;
}

/** Whether the project sent a message that answers this one. */
export function isReplied(state: State, { id, project_id, read_at }: MessageRow): boolean {
  // Older versions noted no reply_to.
  const since = (row: MessageRow): boolean => row.session_id !== null && read_at !== null && row.at > read_at;
  return projectMessages(state, project_id).some(
    (row) => row.direction === 'out' && (row.reply_to === null ? since(row) : row.reply_to === id),
  );
}

/** The project's answers to a message, oldest first: from its turn or a later one that was asked, and the reason if an answer failed. */
export function repliesTo(state: State, { id, project_id }: MessageRow): MessageRow[] {
  return projectMessages(state, project_id).filter(
    (row) =>
      row.direction === 'out' && row.id > id && (row.reply_to === null ? row.sender === 'engine' : row.reply_to >= id),
  );
}

/** Whether one of the replies ended its turn: notices do not. */
export const hasEnded = (replies: readonly MessageRow[]): boolean =>
  replies.some((row) => row.reply_to !== null && row.session_id === null);

/**
 * Whether a project's turn ended with this answer to the main agent, and the main agent's conversation should take it now. Notices are delivered
 * before its next turn.
 */
export function repliesToMain(state: State, message: MessageRow): boolean {
  const { direction, reply_to, session_id, project_id } = message;
  if (direction !== 'out' || reply_to === null || session_id !== null || project_id === MAIN_PROJECT) return false;
  if (state.messages.get(reply_to)?.sender !== 'main' || !state.projects.has(MAIN_PROJECT)) return false;
  return passedToMain(state, message) < MOST_IN_HOUR;
}

/** The number of earlier messages of its project that were relayed to the main agent within the hour. */
function passedToMain(state: State, { id, project_id, at }: MessageRow): number {
  return projectMessages(state, MAIN_PROJECT).filter((row) => {
    const origin = row.relayed_from === null ? undefined : state.messages.get(row.relayed_from);
    if (origin === undefined || origin.project_id !== project_id || origin.id >= id) return false;
    return Date.parse(at) - Date.parse(origin.at) <= 60 * MINUTE_MS;
  }).length;
}

/** The steward's question that a message answers. Null if it answers none. */
export function stewardsQuestion(state: State, { reply_to }: MessageRow): MessageRow | null {
  const asked = reply_to === null ? undefined : state.messages.get(reply_to);
  return asked?.sender === 'steward' ? asked : null;
}

/** Messages of projects that the main agent has not received, oldest first. */
export function unheardByMain(state: State): MessageRow[] {
  const passed = new Set(projectMessages(state, MAIN_PROJECT).map(({ relayed_from }) => relayed_from));
  return [...state.messages.values()].filter(
    (row) =>
      row.direction === 'out' &&
      row.project_id !== MAIN_PROJECT &&
      row.sender !== 'heartbeat' &&
      row.main_read_at === null &&
      !passed.has(row.id),
  );
}
