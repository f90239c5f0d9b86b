/** The text of a file that a person named in a verb: a pipe will do as well, and nothing without end is read. */
import { createReadStream } from 'node:fs';
import { errnoOf, failure } from '../shared/errors.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Throws NOT_FOUND with the file that was named, INVALID_INPUT for one that is too large. */
export async function namedFile(path: string): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw failure('INVALID_INPUT', `${path} has more than ${MAX_BYTES} bytes`);
      kept.push(chunk);
    }
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause;
    throw failure('NOT_FOUND', `there is no file ${path}`, { cause });
  }
  return Buffer.concat(kept).toString('utf8');
}
