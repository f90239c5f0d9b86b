/** Creates messages as part of the event that causes them. */
import type { MessageReader, MessageRow, NewMessage } from '../../shared/project/projects.ts';
import type { Change } from '../../shared/workspace/state.ts';

export function newMessage(message: NewMessage, at: string): Change {
  return {
    table: 'messages',
    put: { task_id: null, level: null, reply_to: null, ...message, at, read_at: null, main_read_at: null },
  };
}

export const messageRows = (message: NewMessage | null, at: string): Change[] =>
  message === null ? [] : [newMessage(message, at)];

/** Returns the same row if it was read before. `reader` is null for both readers, and for the conversation that takes an `in`. */
export function readBy(row: MessageRow, reader: MessageReader | null, at: string): MessageRow {
  const read_at = reader === 'main' ? row.read_at : (row.read_at ?? at);
  const byMain = row.direction === 'out' && reader !== 'steward';
  const main_read_at = byMain ? (row.main_read_at ?? at) : row.main_read_at;
  return read_at === row.read_at && main_read_at === row.main_read_at ? row : { ...row, read_at, main_read_at };
}
