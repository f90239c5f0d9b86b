/**
 * A Messages API over loopback HTTP that does wrong what a fault case says, and keeps a bill of its own. One server serves
 * any number of cases, each under a path of its own.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { type Break, isAnswered, type Mishap } from './mishaps.ts';
import {
  billOf,
  event,
  eventsOf,
  type FaultRole,
  MODELS,
  type ModelAnswer,
  modelAnswer,
  type Stage,
} from './modelAnswers.ts';
import { PATIENT } from './patientServer.ts';

/** One request of a case, as the other side knows it. */
export interface Exchange {
  readonly request: number;
  readonly stage: Stage;
  readonly mishap: Mishap | null;
  /** Of the case's clock, when it was sent. */
  readonly sentAt: number;
  readonly body: string;
  /** null: it was not answered. */
  readonly answer: ModelAnswer | null;
  /** What the provider may bill for it, micro-USD. */
  readonly bill: number;
  /** Every byte of the answer, its last event included, was sent in order. */
  whole: boolean;
  /** Bytes of the answer that left, while it stands still; null: it does not. */
  stalledAt: number | null;
  /** What is left to dribble, byte by byte. */
  dribble: (() => void) | null;
}

export interface ServedCase {
  readonly role: FaultRole;
  readonly seed: number;
  readonly exchanges: Exchange[];
  readonly next: (stage: Stage) => Mishap | null;
}

export interface FaultServer extends AsyncDisposable {
  /** Of a case that is served from now on. */
  serve(served: ServedCase): string;
  readonly port: number;
}

export async function startFaultServer(): Promise<FaultServer> {
  const cases: ServedCase[] = [];
  const server = createServer(PATIENT, (incoming, response) => {
    readAll(incoming)
      .then(() => answer(cases[Number(incoming.url?.split('/')[1])]?.exchanges.at(-1), response))
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    serve: (served) => `http://127.0.0.1:${port}/${cases.push(served) - 1}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readAll(incoming: IncomingMessage): Promise<void> {
  for await (const _ of incoming);
}

/** Made as the request leaves: what becomes of it is decided then. */
export function newExchange({ role, seed, exchanges, next }: ServedCase, body: string, sentAt: number): Exchange {
  const request = exchanges.length + 1;
  const stage = stageOf(role, body);
  const mishap = next(stage);
  const made = isAnswered(mishap) ? modelAnswer(role, stage, request, seed) : null;
  const answer = made !== null && mishap?.at === 'answer' ? mishap.change(made) : made;
  const bill = answer === null ? 0 : billOf(MODELS[role], answer);
  const exchange = { request, stage, mishap, sentAt, body, answer, bill, whole: false, stalledAt: null, dribble: null };
  exchanges.push(exchange);
  return exchange;
}

interface Sent {
  readonly messages: readonly { readonly content: readonly { readonly type: string; readonly is_error?: boolean }[] }[];
}

/** Work until a tool has done it. */
function stageOf(role: FaultRole, body: string): Stage {
  if (role === 'summarizer') return 'answer';
  const { messages } = JSON.parse(body) as Sent;
  const blocks = messages.flatMap(({ content }) => content);
  return blocks.some((block) => block.type === 'tool_result' && block.is_error !== true) ? 'answer' : 'work';
}

function answer(exchange: Exchange | undefined, response: ServerResponse): void {
  const { mishap, body = '', request = 0 } = exchange ?? { mishap: null };
  if (exchange === undefined) response.destroy();
  else if (mishap?.at === 'request') response.socket?.resetAndDestroy();
  else if (mishap?.at === 'status') sendStatus(mishap, response);
  else {
    const { model } = JSON.parse(body) as { model: string };
    const events = exchange.answer === null ? [] : eventsOf(model, exchange.answer, request);
    if (mishap?.at === 'gzip') sendGzip(exchange, events, mishap.twelfths, response);
    else if (mishap?.at === 'stream') sendBroken(exchange, events, mishap, response);
    else
      sendWhole(exchange, mishap?.at === 'events' ? events.toSpliced(mishap.after, 0, ...UNKNOWN) : events, response);
  }
}

const UNKNOWN = [event('new_thing', { index: 3 }), ': a comment\n\n', event('content_block_polish', { index: 0 })];

function sendStatus(mishap: Mishap & { at: 'status' }, response: ServerResponse): void {
  const { status, type, message = type, headers = {}, html = false } = mishap;
  response.writeHead(status, { 'content-type': html ? 'text/html' : 'application/json', ...headers });
  response.end(html ? `<html>${status}</html>` : JSON.stringify({ type: 'error', error: { type, message } }));
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

function sendWhole(exchange: Exchange, events: readonly string[], response: ServerResponse): void {
  exchange.whole = true;
  response.writeHead(200, STREAM);
  response.end(events.join(''));
}

/** What of it can be unpacked decides whether it is whole: the last bytes of a packed stream are only its checksum. */
function sendGzip(exchange: Exchange, events: readonly string[], twelfths: number, response: ServerResponse): void {
  const packed = gzipSync(events.join(''));
  const part = packed.subarray(0, Math.floor((packed.length * twelfths) / 12));
  const heard = part.length === 0 ? '' : String(gunzipSync(part, { finishFlush: constants.Z_SYNC_FLUSH }));
  exchange.whole = heard === events.join('');
  response.writeHead(200, { ...STREAM, 'content-encoding': 'gzip' });
  response.end(part);
}

/** In place of what should come next. */
const SPOILERS: Readonly<Partial<Record<Break, string | Buffer>>> = {
  overloaded: event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  notUtf8: Buffer.from('event: ping\ndata: {"type": "ping", "x": "\xff\xfe"}\n\n', 'latin1'),
  notJson: 'event: content_block_delta\ndata: {"type": "content_blo\n\n',
};

function sendBroken(
  exchange: Exchange,
  events: readonly string[],
  { after, then }: Mishap & { at: 'stream' },
  response: ServerResponse,
): void {
  const rest = events.slice(after).join('');
  const sent =
    events.slice(0, after).join('') + (then === 'cutInside' ? rest.slice(0, Math.floor(rest.length / 3)) : '');
  exchange.whole = after >= events.length;
  const spoiler = SPOILERS[then];
  if (spoiler !== undefined) {
    response.writeHead(200, STREAM);
    response.write(sent);
    response.write(spoiler);
    response.end(rest);
  } else if (then === 'silence' || then === 'dribble') {
    stall(exchange, { sent, rest, dribbles: then === 'dribble' }, response);
  } else {
    response.writeHead(200, STREAM);
    response.write(sent === '' ? ': nothing yet\n\n' : sent, () => {
      if (then === 'ended') response.end();
      else if (then === 'reset') response.socket?.resetAndDestroy();
      else response.socket?.destroySoon();
    });
  }
}

function stall(
  exchange: Exchange,
  { sent, rest, dribbles }: { readonly sent: string; readonly rest: string; readonly dribbles: boolean },
  response: ServerResponse,
): void {
  if (sent !== '' || dribbles) {
    response.writeHead(200, STREAM);
    response.flushHeaders();
    if (sent !== '') response.write(sent);
  }
  let at = sent.length;
  exchange.stalledAt = at;
  if (!dribbles) return;
  // Pings for ever, where the answer is sent already.
  const dribbled = rest === '' ? '' : `: ${'.'.repeat(2_000)}\n\n`;
  exchange.dribble = () => {
    const byte = dribbled[at - sent.length];
    if (byte === undefined) return;
    response.write(byte);
    exchange.stalledAt = ++at;
  };
}
