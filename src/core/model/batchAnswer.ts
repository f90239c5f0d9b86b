/**
 * Reads and writes the parts of a batch of one Messages API request: its creation, its state, its result, and the events in which a
 * streaming caller receives the message.
 * Source: https://docs.claude.com/en/api/creating-message-batches
 */
import { type Fields, isFields, parseJson } from '../text/json.ts';
import { event } from './messagesEvents.ts';

/** The part of the listed prices that calls in a batch cost. */
export const BATCH_FACTOR = 0.5;

/** Batches that are not processed within 24 hours expire; an hour more for reading the result. */
export const BATCH_MS = 25 * 3_600_000;

const CUSTOM_ID = 'call';

export interface Batch {
  /** The body that creates it. It does not stream, and its prompt is cached for an hour, because most batches take longer than five minutes. */
  readonly body: string;
  /** The request without the limit of its answer. */
  readonly prompt: string;
  /** Whether the caller expects a stream. */
  readonly streams: boolean;
}

/** Null if `body` is not a JSON object. */
export function batchOf(body: string): Batch | null {
  const params = parseJson(body);
  if (!isFields(params)) return null;
  const { stream, ...rest } = params;
  const { max_tokens: _, ...prompt } = rest;
  const request = { custom_id: CUSTOM_ID, params: cachedForAnHour(rest) };
  return {
    body: JSON.stringify({ requests: [request] }),
    prompt: JSON.stringify(prompt),
    streams: stream === true,
  };
}

/** Changes the marks at each position where the API takes one, and no data of tools. */
function cachedForAnHour(params: Fields): Fields {
  const { system, tools, messages } = params;
  return {
    ...marked(params),
    ...(Array.isArray(system) ? { system: system.map(marked) } : {}),
    ...(Array.isArray(tools) ? { tools: tools.map(marked) } : {}),
    ...(Array.isArray(messages) ? { messages: messages.map(markedContent) } : {}),
  };
}

/** A message, or a result of a tool, whose content may be a list of blocks. */
function markedContent<T>(holder: T): T {
  if (!isFields(holder)) return holder;
  const own = marked(holder);
  const { content } = own;
  return Array.isArray(content) ? { ...own, content: content.map(markedContent) } : own;
}

function marked<T>(holder: T): T {
  if (!isFields(holder) || !isFields(holder['cache_control'])) return holder;
  return { ...holder, cache_control: { ...holder['cache_control'], ttl: '1h' } };
}

/** Null if the text is not the state of a batch. */
export function batchState(text: string): { readonly id: string; readonly ended: boolean } | null {
  const read = parseJson(text);
  if (!isFields(read) || typeof read['id'] !== 'string' || !/^[\w-]{1,200}$/.test(read['id'])) return null;
  return { id: read['id'], ended: read['processing_status'] === 'ended' };
}

export type BatchResult =
  | { readonly type: 'message'; readonly message: Readonly<Record<string, unknown>> }
  /** The request was refused: not billed. `body` is the error as an HTTP answer has it. */
  | { readonly type: 'error'; readonly status: number; readonly body: string }
  /** The request was not processed: not billed. */
  | { readonly type: 'unprocessed'; readonly why: string };

/** HTTP statuses of the API's error types. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/** `text`: the lines of results. Null if the request has no result that can be read. */
export function batchResult(text: string): BatchResult | null {
  const lines = text.split('\n').map(parseJson).filter(isFields);
  const result = lines.find((line) => line['custom_id'] === CUSTOM_ID)?.['result'];
  if (!isFields(result)) return null;
  const { type, message, error } = result;
  if (type === 'succeeded') return isFields(message) ? { type: 'message', message } : null;
  if (type === 'expired' || type === 'canceled') return { type: 'unprocessed', why: `the batch is ${type}` };
  if (type !== 'errored' || !isFields(error)) return null;
  const reported = isFields(error['error']) ? error['error']['type'] : null;
  const status = Object.entries(STATUS).find(([name]) => name === reported)?.[1] ?? 500;
  return { type: 'error', status, body: JSON.stringify(error) };
}

/** The message as server-sent events. Each block comes whole at its start. */
export function eventsOf(message: Readonly<Record<string, unknown>>): string {
  const { content, stop_reason, stop_sequence = null, stop_details, usage } = message;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const events: (readonly [string, object])[] = [
    ['message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } }],
    ...blocks.flatMap((content_block, index): (readonly [string, object])[] => [
      ['content_block_start', { index, content_block }],
      ['content_block_stop', { index }],
    ]),
    ['message_delta', { delta: { stop_reason, stop_sequence, stop_details }, usage }],
    ['message_stop', {}],
  ];
  return events.map(([type, data]) => event(type, data)).join('');
}
