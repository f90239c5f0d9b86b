/** The same short answer, and the same faults of it, in the protocol of each wire. Written from the protocols. */
import type { Wire } from '../../../src/shared/model/connections.ts';
import { errorEvent, textEvents } from './scriptedServer.ts';

export interface WireScripts {
  /** The events of an answer with the text "hello", 10 tokens of prompt and 20 of answer, each as it goes over the wire. */
  readonly events: readonly string[];
  /** How many of them come before the answer is at its end. */
  readonly unfinished: number;
  /** How many there are up to the text. */
  readonly half: number;
  /** An error inside a stream. */
  readonly error: (type: string) => string;
  /** The events with a usage that makes no sense. */
  readonly senseless: readonly string[];
  /** What keeps a connection open without a word. */
  readonly ping: string;
}

const data = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const serverError = (type: string): object => ({ error: { message: type, type, code: type } });

const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function chat(output: number): string[] {
  const usage = { prompt_tokens: 10, completion_tokens: output, total_tokens: 10 + output };
  return [
    chunk({ role: 'assistant' }),
    chunk({ content: 'hello' }),
    chunk({}, 'stop'),
    { ...chunk({}), choices: [], usage },
    '[DONE]',
  ].map(data);
}

function responses(output: number): string[] {
  const response = { id: 'r', object: 'response', created_at: 1, model: 'm' };
  const item = { type: 'message', id: 'i', role: 'assistant', content: [] };
  const place = { item_id: 'i', output_index: 0, content_index: 0 };
  const usage = { input_tokens: 10, output_tokens: output, total_tokens: 10 + output };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_text.delta', ...place, delta: 'hello', logprobs: [] },
    { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
    { type: 'response.completed', response: { ...response, status: 'completed', usage } },
  ].map(data);
}

function gemini(output: number): string[] {
  const said = (text: string): object => ({ content: { role: 'model', parts: [{ text }] }, index: 0 });
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: output, totalTokenCount: 10 + output };
  return [
    { candidates: [said('hel')], modelVersion: 'm' },
    { candidates: [said('lo')], modelVersion: 'm' },
    { candidates: [{ ...said(''), finishReason: 'STOP' }], modelVersion: 'm', usageMetadata },
  ].map(data);
}

const messages = textEvents('hello');

export const WIRE_SCRIPTS: Readonly<Record<Exclude<Wire, 'vertex'>, WireScripts>> = {
  messages: {
    events: messages,
    unfinished: messages.length - 1,
    half: 4,
    error: errorEvent,
    senseless: messages.map((one) => one.replace('"output_tokens":20', '"output_tokens":-1')),
    ping: 'event: ping\ndata: {"type":"ping"}\n\n',
  },
  chat: {
    events: chat(20),
    unfinished: 2,
    half: 2,
    error: (type) => data(serverError(type)),
    senseless: chat(-1),
    ping: ': ping\n\n',
  },
  responses: {
    events: responses(20),
    unfinished: 4,
    half: 3,
    error: (type) => data({ type: 'error', sequence_number: 1, ...serverError(type) }),
    senseless: responses(-1),
    ping: ': ping\n\n',
  },
  gemini: {
    events: gemini(20),
    unfinished: 2,
    half: 2,
    error: (type) => data(serverError(type)),
    senseless: gemini(-1),
    ping: ': ping\n\n',
  },
};
