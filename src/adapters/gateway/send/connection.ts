/**
 * The connection of one attempt: it ends when the caller aborts it, when it is idle for too long, or when its total
 * time is exceeded.
 */
import type { Clock } from '../../../shared/clock.ts';

/** Limits in awake time. */
export interface Patience {
  /** Limit between two chunks of data. */
  readonly idleMs: number;
  /** Limit of the total time. An answer that trickles resets the idle limit again and again. */
  readonly totalMs: number;
}

export class Connection {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #upstream = new AbortController();
  readonly #caller: AbortSignal;
  readonly #hangUp = () => this.#upstream.abort(this.#caller.reason);
  readonly #cancelTotal: () => void;
  #cancel: () => void;
  #late: 'idle' | 'slow' | null = null;

  constructor(clock: Clock, { idleMs, totalMs }: Patience, caller: AbortSignal) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#caller = caller;
    this.#cancelTotal = clock.timer(totalMs, () => this.#giveUp('slow'));
    this.#cancel = this.#arm();
    if (caller.aborted) this.#hangUp();
    caller.addEventListener('abort', this.#hangUp, { once: true });
  }

  /** For all work on this connection. */
  get signal(): AbortSignal {
    return this.#upstream.signal;
  }

  /** The limit that ended the connection; null if the caller did. */
  get late(): 'idle' | 'slow' | null {
    return this.#late;
  }

  /** Restarts the idle limit after received data. */
  heard(): void {
    this.#cancel();
    this.#cancel = this.#arm();
  }

  /** The caller cancelled the answer. */
  abandon(): void {
    this.#upstream.abort(new Error('the answer was abandoned'));
  }

  close(): void {
    this.#cancel();
    this.#cancelTotal();
    this.#caller.removeEventListener('abort', this.#hangUp);
  }

  #arm(): () => void {
    return this.#clock.timer(this.#idleMs, () => this.#giveUp('idle'));
  }

  #giveUp(late: 'idle' | 'slow'): void {
    this.#late ??= late;
    this.#upstream.abort(new Error('it took too long'));
  }
}

/** The promise, or a rejection with the signal's reason, whichever is first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const done = () => signal.removeEventListener('abort', stop);
    promise.then(
      (value) => {
        done();
        resolve(value);
      },
      (thrown: unknown) => {
        done();
        reject(thrown);
      },
    );
  });
}

/** The whole body, at most `maxBytes` of it (the rest is left unread). Rejects if the connection ends. */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  connection: Connection,
  maxBytes: number,
): Promise<string> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes < maxBytes; ) {
    const { done, value } = await orAborted(reader.read(), connection.signal);
    if (done) return Buffer.concat(chunks).toString('utf8');
    connection.heard();
    chunks.push(value);
    bytes += value.length;
  }
  await reader.cancel();
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}
