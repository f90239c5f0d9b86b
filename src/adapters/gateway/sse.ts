/** Cuts a byte stream into server-sent events without changing a byte of it. */
import { isUtf8 } from 'node:buffer';
import { BrokenAnswer } from './answer.ts';

export interface SseEvent {
  /** The event as it came, its closing blank line included. */
  readonly bytes: Uint8Array;
  /** The text of its `data` lines; empty for a comment. */
  readonly data: string;
}

/** No event of the Messages API comes near it. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;
const LF = 10;
const CR = 13;

export class SseSplitter {
  #pending = new Uint8Array(0);

  /** The events that are complete with this chunk. Throws BrokenAnswer at bytes that cannot be an event, after those before it. */
  *push(chunk: Uint8Array): Generator<SseEvent> {
    const from = Math.max(0, this.#pending.length - 3);
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    let start = 0;
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] !== LF || !closesEvent(bytes, start, at)) continue;
      const own = bytes.subarray(start, at + 1);
      if (!isUtf8(own)) throw new BrokenAnswer('malformed', 'an event is not UTF-8');
      yield { bytes: own, data: dataOf(Buffer.from(own).toString('utf8')) };
      start = at + 1;
    }
    this.#pending = Uint8Array.from(bytes.subarray(start));
    if (this.#pending.length > MAX_EVENT_BYTES) throw new BrokenAnswer('malformed', 'an event is too long');
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
