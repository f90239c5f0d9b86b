/** Messages of the Messages API as plain data: read from a reply, journaled, sent again. */
import type {
  BetaAssistantMessageParam,
  BetaContentBlock,
  BetaContentBlockParam,
  BetaToolResultBlockParam,
  BetaToolResultContentBlockParam,
  BetaToolUseBlock,
  BetaUserMessageParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { z } from 'zod';
import type { CallUse } from '../../../core/session/handover.ts';
import { canonicalJson } from '../../../core/session/loopGuard.ts';

/** One message of a history. */
export type Message = BetaUserMessageParam | BetaAssistantMessageParam;

/** A whole reply, as far as the loop looks into it. */
export interface Reply {
  readonly content: readonly BetaContentBlock[];
  readonly stop_reason: string | null;
  readonly usage: ReplyUsage;
}

interface ReplyUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null | undefined;
  readonly cache_read_input_tokens?: number | null | undefined;
}

const count = z.number().nonnegative().catch(0);
const replyShape = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable().catch(null),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count.nullish(),
      cache_read_input_tokens: count.nullish(),
    })
    .catch({ input_tokens: 0, output_tokens: 0 }),
});

/** Parses a reply from the journal or the wire; null if it is invalid. */
export function asReply(message: unknown): Reply | null {
  const parsed = replyShape.safeParse(message);
  return parsed.success ? (parsed.data as unknown as Reply) : null;
}

export function toolCalls(reply: Reply): readonly BetaToolUseBlock[] {
  return reply.content.filter((block) => block.type === 'tool_use');
}

export function replyText(reply: Reply): string {
  return reply.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}

/** Everything that the call counted: input, cache reads and writes, output. */
export function tokensOf({ usage }: Reply): number {
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return usage.input_tokens + cached + usage.output_tokens;
}

export function callUse({ usage }: Reply): CallUse {
  const cacheRead = usage.cache_read_input_tokens ?? 0;
  const prompt = usage.input_tokens + cacheRead + (usage.cache_creation_input_tokens ?? 0);
  return { prompt, cacheRead, output: usage.output_tokens };
}

/** The part of a reply that can be sent back: the API rejects empty text, and thinking at the end. */
export function contentOf(reply: Reply): readonly BetaContentBlock[] {
  const content = reply.content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  return content.slice(0, content.findLastIndex((block) => !isThinking(block)) + 1);
}

export const isThinking = ({ type }: { readonly type: string }): boolean =>
  type === 'thinking' || type === 'redacted_thinking';

/** The history with a reply at its end. The API refuses empty messages, so these are left out. */
export function withReply(messages: readonly Message[], reply: Reply): readonly Message[] {
  const content = contentOf(reply);
  if (content.length === 0) return messages;
  return [...messages, { role: 'assistant', content: content as BetaContentBlockParam[] }];
}

/** The history with more blocks from the user, joined with a user message at its end. */
export function withUser(messages: readonly Message[], blocks: readonly BetaContentBlockParam[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [...blocks] }];
  return [...messages.slice(0, -1), { role: 'user', content: [...blocksOf(last), ...blocks] }];
}

export function textBlock(text: string): BetaContentBlockParam {
  return { type: 'text', text };
}

export function errorResult(toolUseId: string, text: string): BetaToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: toolUseId, content: text, is_error: true };
}

export function blocksOf(message: Message): readonly BetaContentBlockParam[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

/** The text of a tool's result. An image is named by its type and size. */
export function resultText(result: BetaToolResultBlockParam): string {
  const { content = '' } = result;
  return typeof content === 'string' ? content : content.map(partText).join('\n');
}

function partText(block: BetaToolResultContentBlockParam): string {
  if (block.type === 'text') return block.text;
  if (block.type !== 'image' || block.source.type !== 'base64') return JSON.stringify(block);
  return `[${block.source.media_type}, ${block.source.data.length} characters in base64]`;
}

/** A result with more text at its end. */
export function withText(result: BetaToolResultBlockParam, text: string): BetaToolResultBlockParam {
  const { content = '' } = result;
  return { ...result, content: typeof content === 'string' ? content + text : [...content, { type: 'text', text }] };
}

/** Texts of the results that a history shows for calls with this name and input, newest first. Errors are left out. */
export function earlierResults(messages: readonly Message[], name: string, input: unknown): readonly string[] {
  const key = canonicalJson(input);
  const blocks = messages.flatMap(blocksOf);
  const ids = new Set(
    blocks.flatMap((block) =>
      block.type === 'tool_use' && block.name === name && canonicalJson(block.input) === key ? [block.id] : [],
    ),
  );
  return blocks
    .flatMap((block) =>
      block.type === 'tool_result' && block.is_error !== true && ids.has(block.tool_use_id) ? [resultText(block)] : [],
    )
    .reverse();
}
