/** Stores the files of `.autonomous/attempts`: one per attempt, compressed, replaced as a whole. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { KeptAttempts } from '../../engine/job/gitPorts.ts';
import { replaceFile } from '../../engine/state/filePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { failure, messageOf } from '../../shared/errors.ts';

const FOLDER = 'attempts';
const NAME = /^([1-9]\d{0,15})\.gz$/;
/** Limit of one patch, unpacked: a larger one was not written by this program. */
const MAX_BYTES = 1024 * 1024 * 1024;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

export const keptHash = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

export interface KeptFiles extends KeptAttempts {
  /** Attempts with kept work, in order. */
  list(): Promise<readonly { readonly id: number; readonly bytes: number }[]>;
}

export function keptAttempts(stateDir: string, ops: FileOps): KeptFiles {
  const folder = join(stateDir, FOLDER);
  const pathOf = (id: number): string => join(folder, `${id}.gz`);
  return {
    async put(id, data) {
      await ops.makeDir(folder);
      await replaceFile(ops, pathOf(id), await pack(data, { level: constants.Z_BEST_SPEED }));
      return keptHash(data);
    },
    async get(id) {
      const path = pathOf(id);
      if ((await ops.stat(path))?.kind !== 'file') return null;
      const packed = await ops.read(path);
      if (packed === null) return null;
      try {
        const data = await unpack(packed, { maxOutputLength: MAX_BYTES });
        return { data, hash: keptHash(data) };
      } catch (cause) {
        throw failure('STATE_DAMAGED', `${path} cannot be unpacked: ${messageOf(cause)}`, { details: { path }, cause });
      }
    },
    async list() {
      const ids = (await ops.list(folder)).flatMap((name) => {
        const id = NAME.exec(name)?.[1];
        return id === undefined ? [] : [Number(id)];
      });
      const files = ids
        .sort((a, b) => a - b)
        .map(async (id) => ({ id, bytes: (await ops.stat(pathOf(id)))?.size ?? 0 }));
      return Promise.all(files);
    },
  };
}
