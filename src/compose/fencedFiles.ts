/** Files of the state as the owner of one epoch changes them: one that was superseded changes nothing that others write too. */
import { join } from 'node:path';
import { nodeFiles } from '../adapters/files.ts';
import { checkEpoch } from '../adapters/log/epoch.ts';
import type { FileOps } from '../engine/storePorts.ts';

/** Whatever gives a file its name, or takes it away, is OWNER_LOST once a higher epoch exists. */
export function fencedFiles(stateDir: string, epoch: number): FileOps {
  const own = () => checkEpoch(join(stateDir, 'epoch'), epoch, nodeFiles);
  return {
    ...nodeFiles,
    create: async (path, data) => {
      await own();
      return nodeFiles.create(path, data);
    },
    openAppend: async (path) => {
      await own();
      return nodeFiles.openAppend(path);
    },
    rename: async (from, to) => {
      await own();
      await nodeFiles.rename(from, to);
    },
    remove: async (path) => {
      await own();
      await nodeFiles.remove(path);
    },
    removeFolder: async (path) => {
      await own();
      await nodeFiles.removeFolder(path);
    },
  };
}
