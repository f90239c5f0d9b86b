/** Whether anything of a conversation is open, by its last entry alone: it need not be loaded into a thread to find out. */

import type { TranscriptEntry } from '../../session/ports.ts';
import { asReply, toolCalls } from '../../session/transcript/messages.ts';

/** An answer that asks for nothing. When in doubt it is none. */
export function isAnswer(last: TranscriptEntry | null): boolean {
  const reply = last?.kind === 'reply' ? asReply(last.message) : null;
  return reply?.stop_reason === 'end_turn' && toolCalls(reply).length === 0;
}
