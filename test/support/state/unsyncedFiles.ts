/** The real files without waiting for the disk: for many runs of a test whose matter is what is written, not what a power loss leaves of it. */
import { mkdir } from 'node:fs/promises';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import type { AppendFile, FileOps } from '../../../src/engine/state/storePorts.ts';

const unsynced = (file: AppendFile): AppendFile => ({ ...file, sync: async () => undefined });

export const unsyncedFiles: FileOps = {
  ...nodeFiles,
  makeDir: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  create: async (path, data) => {
    const file = await nodeFiles.openNew(path);
    if (file === null) return false;
    await file.write(data);
    await file.close();
    return true;
  },
  openNew: async (path) => {
    const file = await nodeFiles.openNew(path);
    return file && unsynced(file);
  },
  openAppend: async (path) => unsynced(await nodeFiles.openAppend(path)),
  syncDir: async () => undefined,
};
