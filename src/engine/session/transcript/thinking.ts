/**
 * Thinking of a model in a history. Each block is bound to everything before it (provider's documentation: preserved thinking, prefix
 * checks): once something earlier changes, a request that still holds it is refused. A history without any is always taken.
 */
import { blocksOf, isThinking, type Message, withUser } from './messages.ts';

export const holdsThinking = (messages: readonly Message[]): boolean =>
  messages.some((message) => message.role === 'assistant' && blocksOf(message).some(isThinking));

/** The same history without thinking. A reply that is only thinking is removed. */
export function withoutThinking(messages: readonly Message[]): readonly Message[] {
  if (!holdsThinking(messages)) return messages;
  const kept: Message[] = [];
  for (const message of messages) {
    const blocks = message.role === 'assistant' ? blocksOf(message).filter((block) => !isThinking(block)) : [];
    if (message.role === 'user') kept.splice(-1, 1, ...withUser(kept.slice(-1), blocksOf(message)));
    else if (blocks.length > 0) kept.push({ ...message, content: [...blocks] });
  }
  return kept;
}
