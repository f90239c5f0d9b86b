/** Handles one call of an agent: translates it for the gateway, and relays the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toMessagesRequest } from '../../core/model/chat/chatRequest.ts';
import { foreignBetas, foreignRequest } from '../../core/model/foreignRequest.ts';
import type { PriceTable } from '../../core/money/price/pricing.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure } from '../../shared/errors.ts';
import { passOn, passOnAsChat } from './answer.ts';
import { readBody } from './body.ts';
import { errorBody, type HttpError, httpError, type Protocol, TOO_MUCH_AT_ONCE } from './errors.ts';
import { LIMITS } from './limits.ts';
import { mayAskFor } from './models.ts';
import type { RequestBudget, SessionEndpoint } from './sessionEndpoints.ts';

export interface Call {
  readonly door: SessionEndpoint;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path of the Messages API, from the root, query included. */
  readonly path: string;
  readonly protocol: Protocol;
  readonly clock: Clock;
  readonly prices: PriceTable;
}

/** The body for the gateway, and the function that relays its answer. */
interface Asked {
  readonly body: string;
  readonly answer: (from: Response, signal: AbortSignal) => Promise<void>;
}

/** Relayed headers of a request; the others belong to the agent and this machine. */
const HEADERS = /^(accept|user-agent|anthropic-version|x-stainless-.*)$/;

/** Never rejects. */
export async function answerCall(call: Call): Promise<void> {
  const { door, response } = call;
  if (door.calls >= LIMITS.callsAtOnce) return refuse(call, TOO_MUCH_AT_ONCE);
  const room = door.room();
  const left = new AbortController();
  const leave = () => left.abort();
  const cutOff = () => response.destroy();
  response.once('close', leave);
  door.signal.addEventListener('abort', cutOff, { once: true });
  await carryOut(call, room, left.signal);
  room.leave();
  response.off('close', leave);
  door.signal.removeEventListener('abort', cutOff);
}

/** `signal`: the caller left, or the session has ended. */
async function carryOut(call: Call, room: RequestBudget, signal: AbortSignal): Promise<void> {
  const { door, response, clock } = call;
  const read = await readBody(call.request, room);
  if (read === null) return void response.destroy();
  if ('status' in read) return refuse(call, read);
  const asked = call.protocol === 'chat' ? chatCall(call, read.text) : messagesCall(call, read.text);
  if ('status' in asked) return refuse(call, asked);
  try {
    await asked.answer(await ask(call, asked.body, signal), signal);
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!signal.aborted && !isAboutCount(call, failed.code)) door.failed(failed);
    if (signal.aborted || response.headersSent || failed.code === 'ABORTED') response.destroy();
    else refuse(call, httpError(failed, clock.now()));
  }
}

function ask({ door, request, path }: Call, body: string, signal: AbortSignal): Promise<Response> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    HEADERS.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  headers.push(['content-type', 'application/json']);
  const betas = foreignBetas(String(request.headers['anthropic-beta'] ?? ''));
  if (betas) headers.push(['anthropic-beta', betas]);
  return door.admitted.fetch(`http://gateway.invalid${path}`, { method: 'POST', headers, body, signal });
}

function messagesCall({ door, response, clock, prices }: Call, text: string): Asked | HttpError {
  const priced = foreignRequest(text, rulesOf(door, prices));
  if ('refused' in priced) return invalid(priced.refused);
  door.report(priced.warnings);
  return { body: priced.body, answer: (from, signal) => passOn(from, { response, clock, signal }) };
}

function chatCall({ door, response, clock, prices }: Call, text: string): Asked | HttpError {
  const chat = toMessagesRequest(text, door.admitted.maxTokens);
  if ('refused' in chat) return invalid(chat.refused);
  const priced = foreignRequest(chat.body, rulesOf(door, prices));
  if ('refused' in priced) return invalid(priced.refused);
  door.report([...chat.warnings, ...priced.warnings]);
  const { stream, includeUsage } = chat;
  const head = { created: Math.floor(clock.now() / 1000), includeUsage, stream };
  return { body: priced.body, answer: (from, signal) => passOnAsChat(from, { response, clock, signal }, head) };
}

function rulesOf({ admitted: { model, maxTokens } }: SessionEndpoint, prices: PriceTable) {
  return { model, maxTokens, hasPrice: (asked: string) => mayAskFor(asked, model, prices) };
}

function invalid(message: string): HttpError {
  return { status: 400, type: 'invalid_request_error', message };
}

/** Whether a call only counts tokens: not every provider can, and agents work without. */
function isAboutCount({ path }: Call, code: string): boolean {
  return path.startsWith('/v1/messages/count_tokens') && code === 'MODEL_REQUEST_REFUSED';
}

export function refuse({ response, protocol }: Pick<Call, 'response' | 'protocol'>, error: HttpError): void {
  response.writeHead(error.status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // The rest of the body is not read: the connection ends with the answer.
    ...(response.req.complete ? {} : { connection: 'close' }),
    ...(error.retryAfterSeconds === undefined
      ? { 'x-should-retry': 'false' }
      : { 'retry-after': String(error.retryAfterSeconds) }),
  });
  response.end(errorBody(protocol, error));
}
