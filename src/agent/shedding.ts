/** Shortens a history in one large step: old tool results go, everything that was said stays. */
import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { blocksOf, type Message, resultText } from './messages.ts';

/** A stub would not be shorter than these. */
const SHORT = 200;

export interface Shed {
  readonly messages: readonly Message[];
  /** Share of the history's characters that went. */
  readonly freedShare: number;
}

/** Replaces tool results older than the last `keptTurns` replies by stubs; the first message is never touched. */
export function shedToolResults(messages: readonly Message[], keptTurns: number): Shed {
  const replies = messages.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
  const keptFrom = replies.at(-keptTurns) ?? 0;
  const shed = messages.map((message, index) =>
    message.role === 'user' && index > 0 && index < keptFrom
      ? { ...message, content: blocksOf(message).map(stubbed) }
      : message,
  );
  const before = JSON.stringify(messages).length;
  return { messages: shed, freedShare: (before - JSON.stringify(shed).length) / before };
}

function stubbed(block: BetaContentBlockParam): BetaContentBlockParam {
  if (block.type !== 'tool_result') return block;
  const { length } = resultText(block);
  if (length <= SHORT) return block;
  return { ...block, content: `[left out to save room: ${length} characters; call the tool again if you need them]` };
}
