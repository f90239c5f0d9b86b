/** Frames on a socket: one line of JSON each, of a limited size. */
import type { Socket } from 'node:net';

/**
 * What an owner takes from a client: a brief travels inside a call, and one of 256 KiB is up to six times as long when each
 * of its characters is escaped. Far above what any other call needs, far below what could hurt.
 */
export const CLIENT_FRAME_BYTES = 2 * 1024 * 1024;
/** What a client takes from an owner that has proved itself: a whole board may be in it. */
export const OWNER_FRAME_BYTES = 64 * 1024 * 1024;
/** Before anybody has proved anything. */
export const GREETING_FRAME_BYTES = 4 * 1024;

const NEWLINE = 10;

export interface Frames {
  /** Gives back false when the other side does not read as fast as this one writes. */
  send(message: unknown): boolean;
  setLimit(bytes: number): void;
  /** The one who takes frames from now on. A frame that is no JSON or too long closes the socket. */
  onMessage(take: (message: unknown) => void): void;
}

export function frames(socket: Socket, limit: number): Frames {
  let chunks: Buffer[] = [];
  let length = 0;
  let max = limit;
  let take: (message: unknown) => void = () => undefined;

  function deliver(line: Buffer): void {
    let message: unknown;
    try {
      message = JSON.parse(line.toString('utf8'));
    } catch (thrown) {
      socket.destroy(thrown instanceof Error ? thrown : undefined);
      return;
    }
    take(message);
  }

  socket.on('data', (data: Buffer) => {
    let rest = data;
    for (let end = rest.indexOf(NEWLINE); end !== -1 && !socket.destroyed; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...chunks, rest.subarray(0, end)]);
      chunks = [];
      length = 0;
      rest = rest.subarray(end + 1);
      if (line.length > max) return void socket.destroy(new Error('frame too long'));
      deliver(line);
    }
    chunks.push(rest);
    length += rest.length;
    if (length > max) socket.destroy(new Error('frame too long'));
  });

  return {
    send: (message) => !socket.destroyed && socket.write(`${JSON.stringify(message)}\n`),
    setLimit: (bytes) => {
      max = bytes;
    },
    onMessage: (next) => {
      take = next;
    },
  };
}
