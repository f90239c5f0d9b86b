/** Shortens a history in one large step: removes old tool results and all thinking, and keeps all text. */
import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { blocksOf, type Message, resultText } from './messages.ts';
import { withoutThinking } from './thinking.ts';

/** A stub would not be shorter than these. */
const SHORT = 200;

export interface Shed {
  readonly messages: readonly Message[];
  /** Share of the history's characters that went. */
  readonly freedShare: number;
}

/**
 * Replaces old tool results by stubs, so that at most `share` of the characters is left: the results of the last `keptTurns` replies
 * stay, or of as many fewer as that takes, and of one at least. The first message is never touched.
 */
export function clearToolResults(messages: readonly Message[], keptTurns: number, share: number): Shed {
  const bare = withoutThinking(messages);
  const before = JSON.stringify(messages).length;
  const freed = (shed: readonly Message[]): number => (before - JSON.stringify(shed).length) / before;
  for (let turns = keptTurns; ; turns--) {
    const shed = stubbedBefore(bare, turns);
    const freedShare = freed(shed);
    if (turns === 1 || freedShare >= 1 - share) return { messages: shed, freedShare };
  }
}

function stubbedBefore(messages: readonly Message[], keptTurns: number): readonly Message[] {
  const replies = messages.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
  const keptFrom = replies.at(-keptTurns) ?? 0;
  return messages.map((message, index) =>
    message.role === 'user' && index > 0 && index < keptFrom
      ? { ...message, content: blocksOf(message).map(stubbed) }
      : message,
  );
}

/** The same history with a note in place of each image in a tool's result; null if it has none. */
export function withoutImages(messages: readonly Message[]): readonly Message[] | null {
  let found = false;
  const bare = withoutThinking(messages).map((message) => ({
    ...message,
    content: blocksOf(message).map((block) => {
      if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
      if (!block.content.some(({ type }) => type === 'image')) return block;
      found = true;
      return { ...block, content: `${resultText(block)}\n[left out: the model does not take this image]` };
    }),
  }));
  return found ? bare : null;
}

function stubbed(block: BetaContentBlockParam): BetaContentBlockParam {
  if (block.type !== 'tool_result') return block;
  const { content = '' } = block;
  const { length } = typeof content === 'string' ? content : JSON.stringify(content);
  if (length <= SHORT) return block;
  return { ...block, content: `[left out to save room: ${length} characters; call the tool again if you need them]` };
}
