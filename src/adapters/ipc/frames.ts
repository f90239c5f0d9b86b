/** Reads and writes frames on a socket: one line of JSON each, of a limited size. */
import type { Socket } from 'node:net';

/**
 * Limit of a frame from a client: a brief travels inside a call, and one of 256 KiB is up to six times as long when
 * each of its characters is escaped. Far above the needs of any other call, far below a harmful size.
 */
export const CLIENT_FRAME_BYTES = 2 * 1024 * 1024;
/** Limit of a frame from an owner that has proved its identity: it may contain a whole board. */
export const OWNER_FRAME_BYTES = 64 * 1024 * 1024;
/** Limit of a frame before the handshake is complete. */
export const GREETING_FRAME_BYTES = 4 * 1024;

const NEWLINE = 10;

export interface Frames {
  /** Returns false if the other side does not read as fast as this one writes. */
  send(message: unknown): boolean;
  setLimit(bytes: number): void;
  /** Sets the receiver of all later frames. A frame that is not JSON or too long closes the socket. */
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
