/**
 * Provides a worker thread's access to the gateway: a `fetch` for the SDK, without a key and without network access.
 */
import { randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { recognize } from '../../../core/guard/secretPrints.ts';
import { type AutonomousError, failure, fromPlain } from '../../../shared/errors.ts';
import { isStreamFailure, type ToOwner, type ToWorker } from './gatewayProtocol.ts';

const NEVER = new AbortController().signal;

/** One client per port, however many sessions use it. */
const doors = new WeakMap<MessagePort, GatewayClient>();

/**
 * A `fetch` whose requests the owner's gateway answers for one run of the session; only path, method, headers and body
 * count. It rejects, and its body errors, with the gateway's `AutonomousError`. The signal only asks the owner to end
 * the call: an answer that is already paid still arrives completely.
 */
export function gatewayFetch(port: MessagePort, sessionId: number): typeof fetch {
  let door = doors.get(port);
  if (door === undefined) {
    door = new GatewayClient(port);
    doors.set(port, door);
  }
  const through = door;
  const asker = randomUUID();
  return async (input, init) => {
    const request = new Request(input, init);
    const body = await request.text();
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    // The caller's signal: the signal of a Request follows it only until the Request is garbage-collected.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : NEVER);
    const headers = Object.fromEntries(request.headers);
    return through.call({ sessionId, asker, path: pathname + search, method, headers, body }, signal);
  };
}

type Asked = Omit<Extract<ToOwner, { kind: 'call' }>, 'kind' | 'id'>;
type Answered = Extract<ToWorker, { kind: 'reply' }>;

class GatewayClient {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answered>>();
  #lastId = 0;
  #open = 0;
  #closed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: ToWorker) => this.#take(message));
    port.on('close', () => this.#close());
    // Only a running call keeps the thread alive.
    port.unref();
  }

  async call(asked: Asked, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    if (this.#closed) throw ownerGone();
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<Answered>();
    this.#waiting.set(id, waiting);
    const abort = () => this.#say({ kind: 'abort', id });
    signal.addEventListener('abort', abort, { once: true });
    const done = () => {
      // A pending read ends too when the answer is abandoned.
      if (!this.#waiting.delete(id)) return;
      signal.removeEventListener('abort', abort);
      this.#leave();
    };
    this.#enter();
    this.#say({ kind: 'call', id, ...asked });
    try {
      const { status, headers, body, secrets } = await waiting.promise;
      // Registers the secrets before any part of the answer can be stored.
      recognize(secrets);
      const passedOn = passOn(body, { done, abandon: abort });
      return new Response(passedOn, { status, headers });
    } catch (thrown) {
      done();
      throw thrown;
    }
  }

  #take(message: ToWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (message.kind === 'reply') {
      if (waiting === undefined)
        message.body.cancel().catch(() => undefined); // aborted meanwhile: it has no reader
      else waiting.resolve(message);
    } else {
      waiting?.reject(fromPlain(message.failure));
    }
  }

  #close(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) reject(ownerGone());
  }

  #say(message: ToOwner): void {
    if (!this.#closed) this.#port.postMessage(message);
  }

  #enter(): void {
    if (this.#open++ === 0) this.#port.ref();
  }

  #leave(): void {
    if (--this.#open === 0) this.#port.unref();
  }
}

interface Passing {
  /** The answer has ended, with or without an error. */
  done(): void;
  /** The reader needs no more of the answer. */
  abandon(): void;
}

/** The same bytes; failures are restored to those of the owner. */
function passOn(body: ReadableStream<Uint8Array>, { done, abandon }: Passing): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: over, value } = await reader.read();
        if (!over) return controller.enqueue(value);
        done();
        controller.close();
      } catch (thrown) {
        done();
        controller.error(isStreamFailure(thrown) ? fromPlain(thrown.failure) : thrown);
      }
    },
    async cancel() {
      abandon();
      done();
      await reader.cancel();
    },
  });
}

function ownerGone(): AutonomousError {
  return failure('OWNER_LOST', 'the owner of this workspace has exited');
}
