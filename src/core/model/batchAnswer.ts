/**
 * Reads and writes the parts of a batch of one Messages API request: its creation, its state, its result, and the events in which a
 * streaming caller receives the message.
 * Source: https://docs.claude.com/en/api/creating-message-batches
 */
import { isFields, parseJson } from '../text/json.ts';

/** The part of the listed prices that calls in a batch cost. */
export const BATCH_FACTOR = 0.5;

/** Batches that are not processed within 24 hours expire; an hour more for reading the result. */
export const BATCH_MS = 25 * 3_600_000;

const CUSTOM_ID = 'call';

/** The body that creates the batch, which does not stream, and whether the caller expects a stream. Null if `body` is not a JSON object. */
export function batchOf(body: string): { readonly body: string; readonly streams: boolean } | null {
  const params = parseJson(body);
  if (!isFields(params)) return null;
  const { stream, ...rest } = params;
  return { body: JSON.stringify({ requests: [{ custom_id: CUSTOM_ID, params: rest }] }), streams: stream === true };
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
  return { type: 'error', status: STATUS[String(reported)] ?? 500, body: JSON.stringify(error) };
}

/** The message as server-sent events. Each block comes whole at its start. */
export function eventsOf(message: Readonly<Record<string, unknown>>): string {
  const { content, stop_reason, stop_sequence = null, usage } = message;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const events: (readonly [string, object])[] = [
    ['message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } }],
    ...blocks.flatMap((content_block, index): (readonly [string, object])[] => [
      ['content_block_start', { index, content_block }],
      ['content_block_stop', { index }],
    ]),
    ['message_delta', { delta: { stop_reason, stop_sequence }, usage }],
    ['message_stop', {}],
  ];
  return events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join('');
}
