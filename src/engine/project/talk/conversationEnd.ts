/** Whether anything of a conversation is open, by its last entry alone: it need not be loaded into a thread to find out. */

import type { TranscriptEntry } from '../../session/ports.ts';
import { asReply, toolCalls } from '../../session/transcript/messages.ts';

/** Whether the entry is an answer without open requests. False if in doubt. */
export function isAnswer(last: TranscriptEntry | null): boolean {
  const reply = last?.kind === 'reply' ? asReply(last.message) : null;
  return reply?.stop_reason === 'end_turn' && toolCalls(reply).length === 0;
}
