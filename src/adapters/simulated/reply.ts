/** Formats a reply of the simulated model, as one message or as the events of a stream. */
import { createHash } from 'node:crypto';
import type { Usage } from '../../shared/money.ts';
import { CHARS_PER_TOKEN } from './promptCache.ts';
import type { MessagesRequest } from './request.ts';
import type { Turn } from './scenario.ts';

export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  /** `json` is the input as it streams; if it was cut, it is invalid JSON. */
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly json: string;
      readonly cut: boolean;
    };

export interface Reply {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: string;
  readonly usage: Usage;
}

/** One server-sent event: `data.type` equals `event`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The reply with the content of `turn`. Its ids are derived from the conversation's content, so the same request gets
 * the same reply. The part beyond the request's `max_tokens` is cut off, with that stop reason.
 */
export function makeReply(request: MessagesRequest, turn: Turn, input: Omit<Usage, 'output'>): Reply {
  const digest = createHash('sha256')
    .update(JSON.stringify([request.system, request.messages, turn]))
    .digest('hex');
  const whole: ReplyBlock[] = turn.calls.map(({ tool, input: toolInput }, at) => ({
    type: 'tool_use',
    id: `toolu_simulated_${digest.slice(0, 20)}_${at}`,
    name: tool,
    json: JSON.stringify(toolInput),
    cut: false,
  }));
  if (turn.text !== '') whole.unshift({ type: 'text', text: turn.text });
  const limit = (request.max_tokens ?? Number.POSITIVE_INFINITY) * CHARS_PER_TOKEN;
  const { blocks, chars, cut } = cutTo(limit, whole);
  const stopReason = cut ? 'max_tokens' : turn.calls.length > 0 ? 'tool_use' : 'end_turn';
  const output = Math.max(1, Math.ceil(chars / CHARS_PER_TOKEN));
  return {
    id: `msg_simulated_${digest.slice(0, 20)}`,
    model: request.model,
    blocks,
    stopReason,
    usage: { ...input, output },
  };
}

function cutTo(limit: number, whole: readonly ReplyBlock[]): { blocks: ReplyBlock[]; chars: number; cut: boolean } {
  const blocks: ReplyBlock[] = [];
  let left = limit;
  for (const block of whole) {
    const text = block.type === 'text' ? block.text : block.json;
    if (text.length <= left) {
      blocks.push(block);
      left -= text.length;
      continue;
    }
    const rest = text.slice(0, left);
    if (block.type === 'tool_use') blocks.push({ ...block, json: rest, cut: true });
    else if (rest !== '') blocks.push({ ...block, text: rest });
    return { blocks, chars: limit, cut: true };
  }
  const chars = whole.reduce((sum, block) => sum + (block.type === 'text' ? block.text : block.json).length, 0);
  return { blocks, chars, cut: false };
}

/** The body of an unstreamed reply. A cut tool call has an empty input. */
export function toMessage(reply: Reply): Readonly<Record<string, unknown>> {
  const content = reply.blocks.map((block) =>
    block.type === 'text'
      ? { type: 'text', text: block.text, citations: null }
      : {
          type: 'tool_use',
          id: block.id,
          name: block.name,
          input: block.cut ? {} : (JSON.parse(block.json) as unknown),
        },
  );
  return { ...envelope(reply), content, stop_reason: reply.stopReason, usage: usageBody(reply.usage) };
}

/** The events of a streamed reply, in order. */
export function toEvents(reply: Reply): StreamEvent[] {
  const { usage } = reply;
  const start = { ...envelope(reply), content: [], stop_reason: null, usage: usageBody({ ...usage, output: 1 }) };
  return [
    event('message_start', { message: start }),
    ...reply.blocks.flatMap(blockEvents).toSpliced(1, 0, event('ping', {})),
    event('message_delta', {
      delta: { stop_reason: reply.stopReason, stop_sequence: null },
      usage: cumulative(usage),
    }),
    event('message_stop', {}),
  ];
}

function blockEvents(block: ReplyBlock, index: number): StreamEvent[] {
  if (block.type === 'text') {
    return [
      event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      ...pieces(block.text).map((text) => event('content_block_delta', { index, delta: { type: 'text_delta', text } })),
      event('content_block_stop', { index }),
    ];
  }
  const delta = (partial_json: string) =>
    event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
  return [
    event('content_block_start', {
      index,
      content_block: { type: 'tool_use', id: block.id, name: block.name, input: {} },
    }),
    delta(''),
    ...pieces(block.json).map(delta),
    event('content_block_stop', { index }),
  ];
}

const PIECE = 120;

function pieces(text: string): string[] {
  const list: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) list.push(text.slice(at, at + PIECE));
  return list;
}

function event(type: string, data: object): StreamEvent {
  return { event: type, data: { type, ...data } };
}

function envelope({ id, model }: Reply): object {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function cumulative({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): object {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  };
}

function usageBody(usage: Usage): object {
  const { cacheWrite5m, cacheWrite1h } = usage;
  return {
    ...cumulative(usage),
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h },
    service_tier: 'standard',
  };
}
