/**
 * A real HTTP server on the loopback address that speaks the Messages API from a scenario, keeps its own bill, and goes
 * wrong where it is told to. Each reply begins with thinking, which it refuses to see again behind another history.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, SimulatedModel } from '../../../src/adapters/simulated/model.ts';
import { countInputTokens } from '../../../src/adapters/simulated/promptCache.ts';
import { encodeEvent, jsonBody } from '../../../src/adapters/simulated/provider.ts';
import { type Reply, type StreamEvent, toEvents } from '../../../src/adapters/simulated/reply.ts';
import { readRequest as readMessages } from '../../../src/adapters/simulated/request.ts';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import type { Usage } from '../../../src/shared/money.ts';
import { type Thinking, thinkingEvents, thinkingFault, thinkingFor } from '../session/thinkingCheck.ts';
import { ServedBatches } from './batches.ts';
import { withChecks } from './checkAnswer.ts';
import { PATIENT } from './patientServer.ts';
import { isPriced, microUsdOf } from './prices.ts';

/** Half, as the provider documents it. */
const BATCH_FACTOR = 0.5;

/** What goes wrong with one request. `afterEvents` counts events of the stream that are sent before it. */
export type Fault =
  /** An HTTP error; `type` as in the API's error body. Nothing is billed. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly type?: string;
      readonly headers?: Record<string, string>;
    }
  /** The connection is closed before any answer. */
  | { readonly kind: 'refuse' }
  | { readonly kind: 'cut'; readonly afterEvents: number }
  /** Nothing more comes, the connection stays open. */
  | { readonly kind: 'stall'; readonly afterEvents: number }
  /** An error event ends the stream, as when the service is overloaded under way. */
  | { readonly kind: 'errorEvent'; readonly afterEvents: number; readonly type: string }
  /** An event whose data is no JSON, then the rest. */
  | { readonly kind: 'malformedEvent'; readonly afterEvents: number }
  /** Status 200 and JSON that ends in the middle. */
  | { readonly kind: 'malformedJson' }
  | { readonly kind: 'stopReason'; readonly stopReason: string }
  /** `after` the delay the answer is held until this resolves. */
  | { readonly kind: 'delay'; readonly ms: number; after?(): Promise<void> | null };

export interface ServedRequest {
  /** Of the requests to `/v1/messages`, from 0; those that count tokens have the index of the next one. */
  readonly index: number;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One call that the model answered, whole or in part. */
export interface BilledCall {
  readonly index: number;
  /** Of the reply: the same for the same request. */
  readonly id: string;
  readonly model: string;
  readonly usage: Usage;
  readonly microUsd: number;
  /** Of the machine's clock, when it was billed. */
  readonly at: number;
  /** The whole answer left the server. */
  answered: boolean;
  /** It broke off, by a fault or because the client went away. */
  cut: boolean;
}

/** A request whose history the provider does not take. */
export interface RefusedRequest {
  readonly index: number;
  readonly message: string;
}

export interface MessagesServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly apiKey: string;
  readonly requests: readonly ServedRequest[];
  readonly refused: readonly RefusedRequest[];
  readonly bill: readonly BilledCall[];
  readonly batches: ServedBatches;
  close(): Promise<void>;
}

const MODELS = { data: ['claude-opus-5-5', 'claude-sonnet-5-5', 'qwen3:8b'].map((id) => ({ type: 'model', id })) };

interface Options {
  readonly scenario: Scenario;
  /** Answers instead of the scenario. */
  readonly model?: Pick<SimulatedModel, 'answer'>;
  readonly apiKey?: string;
  /** By index, or by looking at the request; null: all goes well. */
  readonly faults?: Readonly<Record<number, Fault>> | ((request: ServedRequest) => Fault | null);
  /** Whether requests are kept; true. Those of hours would fill the memory of whoever watches. */
  readonly keep?: boolean;
  /** Tokens of the thinking that each reply begins with; 0. Null: the model does not think. */
  readonly thinking?: number | null;
  /** The longest prompt that the model takes, tokens; any. */
  readonly window?: number;
}

export async function startMessagesServer({
  scenario,
  model: answering = new SimulatedModel(scenario),
  apiKey = 'test-key',
  faults = {},
  keep = true,
  thinking = 0,
  window = Number.POSITIVE_INFINITY,
}: Options): Promise<MessagesServer> {
  const model = withChecks(answering);
  const requests: ServedRequest[] = [];
  const refused: RefusedRequest[] = [];
  const bill: BilledCall[] = [];
  let messages = 0;
  const faultOf = typeof faults === 'function' ? faults : (request: ServedRequest) => faults[request.index] ?? null;

  const batches = new ServedBatches((body) => {
    const given = model.answer('/v1/messages', body);
    if (given.kind === 'reply') bill.push({ ...toBill(messages, given.reply, BATCH_FACTOR), answered: true });
    return { ok: given.kind === 'reply', body: jsonBody(given) };
  });

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Whether somebody is there is not a request to the model.
    if (incoming.method === 'HEAD') return void response.writeHead(404).end();
    const request = await readRequest(incoming, messages);
    if (isMessage(request)) messages++;
    if (keep) requests.push(request);
    if (!isAuthorized(request, apiKey)) return sendError(response, 401, 'authentication_error');
    if (incoming.method === 'GET' && request.path === '/v1/models') return sendJson(response, 200, MODELS);
    const ofBatch = batches.answer(incoming.method ?? '', request.path, request.body);
    if (ofBatch !== null) return void response.writeHead(ofBatch.status).end(ofBatch.text);
    const fault = isMessage(request) ? faultOf(request) : null;
    if (fault?.kind === 'refuse') return void response.destroy();
    if (fault?.kind === 'status') return sendError(response, fault.status, fault.type, fault.headers);
    const unfit = isMessage(request)
      ? (tooLong(request.body, window) ?? thinkingFault(JSON.parse(request.body)))
      : null;
    if (unfit !== null) {
      refused.push({ index: request.index, message: unfit });
      return sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: unfit } });
    }
    const given = model.answer(request.path, request.body);
    if (given.kind !== 'reply') return sendJson(response, given.kind === 'error' ? given.status : 200, jsonBody(given));
    const answer = thinking === null ? given : { ...given, reply: afterThinking(given.reply, thinking) };
    if (!isPriced(answer.reply.model)) return sendError(response, 404, 'not_found_error');
    const billed = toBill(request.index, answer.reply);
    bill.push(billed);
    if (fault?.kind === 'delay') {
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      await fault.after?.();
    }
    const thought = thinking === null ? null : thinkingFor(JSON.parse(request.body), thinking);
    await sendReply(response, answer, fault, billed, thought);
  };

  const server = createServer(PATIENT, (incoming, response) => {
    serve(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    requests,
    refused,
    bill,
    batches,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readRequest(incoming: IncomingMessage, index: number): Promise<ServedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  return { index, path: incoming.url ?? '', headers: incoming.headers, body };
}

function isMessage({ path }: ServedRequest): boolean {
  return path.split('?', 1)[0] === '/v1/messages';
}

/** The key in `x-api-key`, or as a bearer token, which is how the SDK's client sends it. A wrong one beside a right one is refused. */
function isAuthorized({ headers }: ServedRequest, apiKey: string): boolean {
  const given = [headers['x-api-key'], headers.authorization?.replace(/^Bearer /, '')].filter(
    (key) => key !== undefined,
  );
  return given.length > 0 && given.every((key) => key === apiKey);
}

/** Why the request is refused, in the words of the API; null: it fits. */
function tooLong(body: string, window: number): string | null {
  const read = readMessages(body);
  const tokens = read.ok ? countInputTokens(read.request) : 0;
  return tokens > window ? `prompt is too long: ${tokens} tokens > ${window} maximum` : null;
}

function afterThinking(reply: Reply, tokens: number): Reply {
  return { ...reply, usage: { ...reply.usage, output: reply.usage.output + tokens } };
}

function toBill(index: number, { id, model, usage }: Reply, factor = 1): BilledCall {
  const microUsd = microUsdOf(model, usage) * factor;
  return { index, id, model, usage, microUsd, at: Date.now(), answered: false, cut: false };
}

async function sendReply(
  response: ServerResponse,
  { reply, stream }: Extract<Answer, { kind: 'reply' }>,
  fault: Fault | null,
  billed: BilledCall,
  thinking: Thinking | null,
): Promise<void> {
  const told = fault?.kind === 'stopReason' ? { ...reply, stopReason: fault.stopReason } : reply;
  response.once('close', () => {
    billed.answered = response.writableFinished && !billed.cut;
    billed.cut = !billed.answered;
  });
  if (fault?.kind === 'malformedJson') {
    billed.cut = true;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"id": "msg_simulated", "type": "mess');
  } else if (stream) {
    await sendEvents(response, thoughtFirst(toEvents(told), thinking).map(encodeEvent), fault, billed);
  } else if (fault?.kind === 'cut') {
    response.destroy();
  } else if (fault?.kind !== 'stall') {
    sendJson(response, 200, jsonBody({ kind: 'reply', reply: told, stream }));
  }
}

/** The events of a stream, with a block of thinking before the others. */
function thoughtFirst(events: readonly StreamEvent[], thinking: Thinking | null): readonly StreamEvent[] {
  const [start, ...rest] = events;
  if (start === undefined || thinking === null) return events;
  const later = rest.map(({ event, data }) =>
    typeof data['index'] === 'number' ? { event, data: { ...data, index: data['index'] + 1 } } : { event, data },
  );
  return [start, ...thinkingEvents(thinking).map((data) => ({ event: data.type, data: { ...data } })), ...later];
}

async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  fault: Fault | null,
  billed: BilledCall,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const breaks = fault !== null && 'afterEvents' in fault ? fault : null;
  for (const event of events.slice(0, breaks?.afterEvents)) {
    if (!response.write(event)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  if (breaks === null) return void response.end();
  billed.cut = true;
  if (breaks.kind === 'cut') {
    response.socket?.destroySoon();
  } else if (breaks.kind === 'errorEvent') {
    const data = { type: 'error', error: { type: breaks.type, message: 'simulated fault' } };
    response.end(encodeEvent({ event: 'error', data }));
  } else if (breaks.kind === 'malformedEvent') {
    response.end(
      `event: content_block_delta\ndata: {"type": "content_blo\n\n${events.slice(breaks.afterEvents).join('')}`,
    );
  }
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function sendError(response: ServerResponse, status: number, type?: string, headers?: Record<string, string>): void {
  sendJson(response, status, errorBody(status, type), headers);
}

/** As the API says it. */
export function errorBody(status: number, type?: string): object {
  const error = { type: type ?? ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error') };
  return { type: 'error', error: { ...error, message: 'simulated fault' } };
}
