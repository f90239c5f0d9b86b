/** Reads and writes files of the clone for an agent without its own file access. */
import { RequestError } from '@agentclientprotocol/sdk';
import { isStateName } from '../../core/guard/hiddenNames.ts';
import type { TreeFiles } from '../../engine/session/ports.ts';
import { findFailure } from '../../shared/errors.ts';

/** Largest file that is read or written. */
const MAX_BYTES = 10 * 1024 * 1024;

export interface CloneFiles {
  /** At most `limit` lines, starting at `line` (1-based). */
  read(path: string, line: number | null, limit: number | null): Promise<string>;
  write(path: string, content: string): Promise<void>;
}

/** `writes`: if false, every write is refused. */
export function cloneFiles(files: TreeFiles, writes: boolean): CloneFiles {
  return {
    read: (path, line, limit) =>
      answered(path, () => files.read(path, { maxBytes: MAX_BYTES, lines: range(line, limit), hidden: isStateName })),
    async write(path, content) {
      if (!writes) throw refusal(`${JSON.stringify(path)} is only to be read in this role`);
      if (Buffer.byteLength(content) > MAX_BYTES) throw refusal(`${JSON.stringify(path)} would be too large`);
      await answered(path, () => files.write(path, content));
    },
  };
}

function range(line: number | null, limit: number | null): readonly [number, number] | null {
  if (line === null && limit === null) return null;
  const first = Math.max(1, line ?? 1);
  return [first, limit === null ? Number.POSITIVE_INFINITY : first + limit - 1];
}

/** Translates failures into errors of the protocol; anything else is a bug. */
async function answered<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const known = findFailure(thrown);
    if (known === undefined) throw thrown;
    throw known.code === 'NOT_FOUND' ? RequestError.resourceNotFound(path) : refusal(known.message);
  }
}

const refusal = (why: string): RequestError => RequestError.invalidParams(undefined, why);
