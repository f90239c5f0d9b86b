/**
 * Relays an answer while it streams. If the answer breaks off, so does the connection: a partial answer must not look
 * complete.
 */
import type { ServerResponse } from 'node:http';
import { ChatAnswer, type ChatHead } from '../../core/model/chat/chatAnswer.ts';
import type { Clock } from '../../shared/clock.ts';
import { LIMITS } from './limits.ts';

export interface Reader {
  readonly response: ServerResponse;
  readonly clock: Clock;
  /**
   * Aborts when the caller left or the session has ended. The gateway's answer is still read to its end, because its
   * cost is booked at the end.
   */
  readonly signal: AbortSignal;
}

/** Relays the gateway's answer, byte for byte. Rejects if it breaks off. */
export async function passOn(answer: Response, reader: Reader): Promise<void> {
  const { response } = reader;
  response.writeHead(200, { ...Object.fromEntries(answer.headers), 'cache-control': 'no-store' });
  response.flushHeaders();
  for await (const bytes of bodyOf(answer)) await write(reader, bytes);
  end(reader);
}

/** Relays it as an answer of the chat protocol. */
export async function passOnAsChat(
  answer: Response,
  reader: Reader,
  { stream, ...head }: ChatHead & { readonly stream: boolean },
): Promise<void> {
  const { response } = reader;
  const chat = new ChatAnswer(head);
  if (stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
    response.flushHeaders();
  }
  const decoder = new TextDecoder();
  for await (const bytes of bodyOf(answer)) {
    const chunks = chat.push(decoder.decode(bytes, { stream: true }));
    if (stream && chunks !== '') await write(reader, chunks);
  }
  const last = stream ? chat.end() : chat.completion();
  if (!stream) response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  end(reader, last);
}

function bodyOf(answer: Response): ReadableStream<Uint8Array> {
  return answer.body ?? new Blob([]).stream();
}

function end({ response, signal }: Reader, last = ''): void {
  if (signal.aborted) response.destroy();
  else response.end(last);
}

/** Waits for a slow reader, but not forever; the gateway continues to read meanwhile. */
async function write({ response, clock, signal }: Reader, chunk: Uint8Array | string): Promise<void> {
  if (signal.aborted || response.write(chunk)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = clock.timer(LIMITS.stalledMs, () => response.destroy());
  const go = () => resolve();
  response.once('drain', go);
  signal.addEventListener('abort', go, { once: true });
  await promise;
  stop();
  response.off('drain', go);
  signal.removeEventListener('abort', go);
}
