/** Stores copies of a file of the state folder, beside it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { failure, messageOf } from '../../shared/errors.ts';

export interface Copies {
  /** Name of the copy: the first name that no other content uses, so that the same bytes always get the same name. */
  nameOf(file: string, label: string, bytes: Uint8Array): Promise<string>;
  /** Stores the copy and syncs it. Throws DISK. */
  keep(file: string, name: string, bytes: Uint8Array): Promise<void>;
}

export function copiesIn(stateDir: string, ops: FileOps): Copies {
  const pathOf = (name: string): string => join(stateDir, name);
  return {
    async nameOf(file, label, bytes) {
      for (let n = 1; ; n++) {
        const name = `${file}.${label}-${n}.bak`;
        const present = await ops.read(pathOf(name));
        if (present === null || digest(present) === digest(bytes)) return name;
      }
    },
    async keep(file, name, bytes) {
      try {
        if (await ops.create(pathOf(name), bytes)) await ops.syncDir(stateDir);
      } catch (thrown) {
        const details = { path: pathOf(file) };
        throw failure('DISK', `cannot copy ${pathOf(file)}: ${messageOf(thrown)}`, { details, cause: thrown });
      }
    },
  };
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
