/**
 * A Messages API server on 127.0.0.1 that answers from a list of replies, each of which it thought about first. It records the raw bodies, refuses to answer
 * more often than it has replies, and counts cache reads as the API does.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHARS_PER_TOKEN, PromptCache } from '../../../src/adapters/simulated/promptCache.ts';
import { readRequest } from '../../../src/adapters/simulated/request.ts';
import { isHandoverRequest } from '../../../src/shared/workspace/assignment.ts';
import { type Thinking, thinkingEvents, thinkingFault, thinkingFor } from '../session/thinkingCheck.ts';
import { leadTo } from './leadTo.ts';
import { PATIENT } from './patientServer.ts';

export interface ScriptedReply {
  readonly content: readonly ScriptedBlock[];
  readonly stop_reason?: string;
}

export type ScriptedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

/** A whole reply, a stream that breaks off after some events, an `error` event, or an HTTP error. */
export type Scripted =
  | ScriptedReply
  | { readonly breakAfter: number; readonly of: ScriptedReply }
  | { readonly errorEvent: string }
  | { readonly status: number; readonly message: string };

export interface SentBody {
  readonly system: readonly { readonly text: string }[];
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Record<string, unknown>[] }[];
}

type Summary = (asked: SentBody) => string;

export interface CountedUsage {
  readonly input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly output_tokens: number;
}

export class ScriptedModel {
  /** Raw bodies, in the order in which they came. */
  readonly bodies: string[] = [];
  readonly usages: CountedUsage[] = [];
  readonly #server: Server;
  readonly #replies: Scripted[];
  readonly #summary: Summary | null;
  readonly cache: PromptCache;

  private constructor(replies: readonly Scripted[], summary: Summary | null, cache: PromptCache) {
    this.#replies = [...replies];
    this.cache = cache;
    this.#summary = summary;
    this.#server = createServer(PATIENT, (request, response) => void this.#answer(request, response));
  }

  /** `summary` answers the requests for one, which the script need not foresee; null: the script answers them. */
  static async start(
    replies: readonly Scripted[],
    summary: Summary | null = () => 'What was done so far.',
    cache = new PromptCache(),
  ): Promise<ScriptedModel> {
    const model = new ScriptedModel(replies, summary, cache);
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** Replies that nobody asked for; a test that ends with some has not done what it says. */
  get left(): number {
    return this.#replies.length;
  }

  sent(index: number): SentBody {
    return JSON.parse(this.bodies.at(index) ?? 'null') as SentBody;
  }

  /** A fetch that leads every address here. */
  readonly fetch = leadTo(() => `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    this.bodies.push(body);
    const scripted = this.#summaryOf(body) ??
      this.#replies.shift() ?? { status: 418, message: 'the script has no reply left' };
    if ('status' in scripted) {
      response.writeHead(scripted.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message: scripted.message } }));
      return;
    }
    const fault = thinkingFault(JSON.parse(body));
    if (fault !== null) return refuse(response, fault);
    if ('errorEvent' in scripted) {
      const error = { type: 'error', error: { type: 'overloaded_error', message: scripted.errorEvent } };
      response.writeHead(200, EVENTS);
      response.end(sse([error]));
      return;
    }
    const reply = 'of' in scripted ? scripted.of : scripted;
    const usage = this.#count(body, JSON.stringify(reply.content).length);
    if (usage === null) return refuse(response, 'the API refuses such a request');
    response.writeHead(200, EVENTS);
    const events = streamEvents(reply, usage, this.bodies.length, thinkingFor(JSON.parse(body)));
    if ('of' in scripted) {
      response.write(sse(events.slice(0, scripted.breakAfter)), () => response.destroy());
      return;
    }
    response.end(sse(events));
  }

  #summaryOf(text: string): ScriptedReply | null {
    const body = JSON.parse(text) as SentBody;
    if (this.#summary === null || !isHandoverRequest(String(body.messages.at(-1)?.content.at(-1)?.['text'])))
      return null;
    return { content: [{ type: 'text', text: this.#summary(body) }] };
  }

  /** Null: the request is none that the API takes. */
  #count(body: string, outputCharacters: number): CountedUsage | null {
    const read = readRequest(body);
    if (!read.ok) return null;
    const { input, cacheRead, cacheWrite5m, cacheWrite1h } = this.cache.use(read.request);
    const usage = {
      input_tokens: input,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
      output_tokens: Math.ceil(outputCharacters / CHARS_PER_TOKEN),
    };
    this.usages.push(usage);
    return usage;
  }
}

const EVENTS = { 'content-type': 'text/event-stream' };

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }));
}

function streamEvents(
  { content, stop_reason }: ScriptedReply,
  { output_tokens, ...input }: CountedUsage,
  number: number,
  thinking: Thinking | null,
): readonly object[] {
  const calls = content.some((block) => block.type === 'tool_use');
  const stop = stop_reason ?? (calls ? 'tool_use' : 'end_turn');
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...input, output_tokens: 1 },
  };
  const first = thinking === null ? 0 : 1;
  return [
    { type: 'message_start', message },
    ...(thinking === null ? [] : thinkingEvents(thinking)),
    ...content.flatMap((block, index) => blockEvents(block, index + first)),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ];
}

/** A reply without a thought as the body of a response. */
export function streamOf(reply: ScriptedReply, number: number): string {
  const usage = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 10 };
  return sse(streamEvents(reply, usage, number, null));
}

function blockEvents(block: ScriptedBlock, index: number): readonly object[] {
  const text = block.type === 'text';
  return [
    { type: 'content_block_start', index, content_block: text ? { type: 'text', text: '' } : { ...block, input: {} } },
    {
      type: 'content_block_delta',
      index,
      delta: text
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    },
    { type: 'content_block_stop', index },
  ];
}

function sse(events: readonly object[]): string {
  return events
    .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
