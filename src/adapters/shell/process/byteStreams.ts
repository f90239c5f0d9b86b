/**
 * Wraps the pipes of a process as web streams. They close without an error: the caller learns elsewhere why a process
 * ended.
 */
import type { Readable, Writable } from 'node:stream';

const KEPT_BYTES = 16_384;
const WAITING_BYTES = 65_536;

/** A chunk counts as written when the process has read it, or the pipe had space: this is the back-pressure. */
export function inputOf(stdin: Writable): WritableStream<Uint8Array> {
  // A write into a pipe without a reader fails below; the event would report the same again.
  stdin.on('error', () => undefined);
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        stdin.write(chunk, (thrown) => (thrown ? reject(thrown) : resolve()));
      }),
    close: () =>
      new Promise((resolve) => {
        stdin.end(() => resolve());
        if (stdin.destroyed) resolve();
      }),
    abort: () => void stdin.destroy(),
  });
}

/**
 * Reads only as fast as the reader consumes; closes when the pipe does. After the reader cancels, the rest is read and
 * discarded, so that the process is not blocked.
 */
export function outputOf(stdout: Readable, heard: (bytes: number) => void): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = (): void => {
          if (open) controller.close();
          open = false;
        };
        stdout.on('data', (chunk: Buffer) => {
          heard(chunk.length);
          if (!open) return;
          controller.enqueue(new Uint8Array(chunk));
          if ((controller.desiredSize ?? 0) <= 0) stdout.pause();
        });
        for (const event of ['end', 'close', 'error'] as const) stdout.once(event, close);
        stdout.pause();
      },
      pull: () => void stdout.resume(),
      cancel: () => {
        open = false;
        stdout.resume();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES }),
  );
}

/** Keeps the end of a stream, as text. */
export function endOf(stderr: Readable, heard: (bytes: number) => void): () => string {
  let kept = Buffer.alloc(0);
  stderr.on('error', () => undefined);
  stderr.on('data', (chunk: Buffer) => {
    heard(chunk.length);
    kept = Buffer.concat([kept, chunk]).subarray(-KEPT_BYTES);
  });
  // A split character at the start is left out.
  return () => kept.toString('utf8').replace(/^\uFFFD+/, '');
}
