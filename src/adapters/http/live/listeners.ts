/**
 * Sends events to one WebSocket. Untaken events stay in the rows, not in memory here: so a slow or stalled listener
 * costs no memory and delays no other.
 */
import type { WebSocket } from 'ws';
import type { Clock } from '../../../shared/clock.ts';
import type { ApiLimits } from '../limits.ts';

/** An event in its wire format. */
export interface Frame {
  readonly taskId: string;
  readonly text: string;
}

export interface Feed {
  /** The newest known event of the log; null while there is no owner. */
  lastSeq(): number | null;
  framesOf(seq: number): readonly Frame[];
}

/** Application-defined close codes. */
const STALLED = 4008;
/** RFC 6455. */
export const GOING_AWAY = 1001;
const UNSUPPORTED = 1003;

/** Events processed in one turn, so that a long replay does not block other listeners. */
const SLICE = 2_000; /** Time limit of the answer to a close. */
const GOODBYE_MS = 1_000;

export interface ListenerOptions {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly limits: Pick<ApiLimits, 'backlogBytes' | 'stalledMs' | 'pingMs'>;
  /** Every event after this is sent; null for new events only. */
  readonly since: number | null;
  /** Only events of this task; null for all events. */
  readonly taskId: string | null;
}

export class Listener {
  readonly #socket: WebSocket;
  readonly #options: ListenerOptions;
  /** Every event up to this one was handed to the socket. */
  #sent: number;
  #waits = false;
  #sliced = false;
  #answered = true;
  #cancelStall: (() => void) | null = null;
  #cancelPing: () => void;

  constructor(socket: WebSocket, options: ListenerOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#sent = options.since ?? options.feed.lastSeq() ?? 0;
    this.#cancelPing = options.clock.timer(options.limits.pingMs, () => this.#ping());
    socket.on('pong', () => {
      this.#answered = true;
    });
    socket.on('message', () => this.close(UNSUPPORTED, 'this stream takes no messages'));
    // A broken connection is closed next: no further handling is needed.
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#cancelPing();
      this.#cancelStall?.();
    });
  }

  /** Sends new events while the socket accepts them. */
  pump(): void {
    if (this.#waits || this.#sliced) return;
    const { feed, limits } = this.#options;
    const last = feed.lastSeq();
    for (let looked = 0; last !== null && this.#sent < last && this.#isOpen; looked++) {
      if (this.#socket.bufferedAmount > limits.backlogBytes) {
        this.#waits = true;
        this.#watch();
        return;
      }
      if (looked === SLICE) {
        this.#later();
        return;
      }
      this.#send(feed.framesOf(this.#sent + 1));
      this.#sent++;
    }
  }

  /** The reason contains the event to resume from. It is sent after all handed-over events. */
  close(code: number, reason: string | null = null): void {
    if (!this.#isOpen) return;
    this.#socket.close(code, reason ?? `since=${this.#sent}`);
    const cancel = this.#options.clock.timer(GOODBYE_MS, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  #send(frames: readonly Frame[]): void {
    const { taskId } = this.#options;
    for (const frame of frames) {
      if (taskId === null || taskId === frame.taskId) this.#socket.send(frame.text, () => this.#taken());
    }
  }

  /** The socket has sent a part of its backlog. */
  #taken(): void {
    if (!this.#waits) return;
    this.#cancelStall?.();
    this.#waits = this.#socket.bufferedAmount > this.#options.limits.backlogBytes / 2;
    if (this.#waits) this.#watch();
    else this.pump();
  }

  #watch(): void {
    const { clock, limits } = this.#options;
    this.#cancelStall = clock.timer(limits.stalledMs, () => this.close(STALLED));
  }

  #later(): void {
    this.#sliced = true;
    this.#options.clock.timer(0, () => {
      this.#sliced = false;
      this.pump();
    });
  }

  #ping(): void {
    if (!this.#answered) {
      this.#socket.terminate();
      return;
    }
    this.#answered = false;
    this.#socket.ping();
    this.#cancelPing = this.#options.clock.timer(this.#options.limits.pingMs, () => this.#ping());
  }
}
