/** Reads files that a person named: pipes included, up to a limit of bytes. */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { errnoOf, failure, messageOf } from '../../shared/errors.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Throws NOT_FOUND with the path, or INVALID_INPUT for a file that is too large. */
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

/** Never overwrites a file. Throws NOT_PERMITTED if it exists, or DISK. */
export async function writeNew(path: string, data: Uint8Array): Promise<void> {
  try {
    await writeFile(path, data, { flag: 'wx' });
  } catch (cause) {
    const taken = errnoOf(cause) === 'EEXIST';
    if (taken)
      throw failure('NOT_PERMITTED', `there is a file ${path} already`, { hint: 'Choose another name.', cause });
    throw failure('DISK', `cannot write ${path}: ${messageOf(cause)}`, { details: { path }, cause });
  }
}
