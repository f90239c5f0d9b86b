/** Messages as part of the event that says them. */
import type { NewMessage } from '../../shared/events.ts';
import type { Change } from '../../shared/state.ts';

export function newMessage(message: NewMessage, at: string): Change {
  return { table: 'messages', put: { task_id: null, level: null, ...message, at, read_at: null } };
}

export const told = (message: NewMessage | null, at: string): Change[] =>
  message === null ? [] : [newMessage(message, at)];
