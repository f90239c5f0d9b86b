/** Splits a byte stream into server-sent events without changing a byte. */
import { isUtf8 } from 'node:buffer';
import { BrokenAnswer } from './answer.ts';

export interface SseEvent {
  /** The unchanged event, with its closing blank line. */
  readonly bytes: Uint8Array;
  /** The text of its `data` lines; empty for a comment. */
  readonly data: string;
}

/** Far above any event of the Messages API. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
const LF = 10;
const CR = 13;

export class SseSplitter {
  /** Buffer of an incomplete event: it doubles, so that each byte is moved only a few times. */
  #room = new Uint8Array(0);
  #length = 0;

  /**
   * The events that this chunk completes. Throws BrokenAnswer at bytes that cannot be an event, after the events before
   * them.
   */
  *push(chunk: Uint8Array): Generator<SseEvent> {
    const from = Math.max(0, this.#length - 3);
    const bytes = this.#length === 0 ? chunk : this.#with(chunk);
    let start = 0;
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] !== LF || !closesEvent(bytes, start, at)) continue;
      const own = bytes.slice(start, at + 1);
      if (!isUtf8(own)) throw new BrokenAnswer('malformed', 'an event is not UTF-8');
      yield { bytes: own, data: dataOf(Buffer.from(own).toString('utf8')) };
      start = at + 1;
    }
    this.#keep(bytes, start);
    if (this.#length > MAX_EVENT_BYTES) throw new BrokenAnswer('malformed', 'an event is too long');
  }

  #with(chunk: Uint8Array): Uint8Array {
    this.#fit(this.#length + chunk.length);
    this.#room.set(chunk, this.#length);
    return this.#room.subarray(0, this.#length + chunk.length);
  }

  /** Keeps the unread rest. If no part of the buffer was consumed, the rest is already in its position. */
  #keep(bytes: Uint8Array, start: number): void {
    const rest = bytes.subarray(start);
    if (bytes.buffer !== this.#room.buffer || start > 0) {
      this.#fit(rest.length);
      this.#room.set(rest);
    }
    this.#length = rest.length;
  }

  #fit(length: number): void {
    if (this.#room.length >= length) return;
    const room = new Uint8Array(Math.max(length, 2 * this.#room.length));
    room.set(this.#room.subarray(0, this.#length));
    this.#room = room;
  }
}

/** Whether the line feed at `at` ends an empty line. */
function closesEvent(bytes: Uint8Array, start: number, at: number): boolean {
  const before = bytes[at - 1] === CR ? at - 2 : at - 1;
  return before < start || bytes[before] === LF;
}

function dataOf(text: string): string {
  return text
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(line[5] === ' ' ? 6 : 5)] : []))
    .join('\n');
}
