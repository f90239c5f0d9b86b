/** Files of the state as the owner of one epoch changes them: one that was superseded changes nothing that others write too. */
import type { FileOps } from './storePorts.ts';

/** Every operation that adds or removes a file name first awaits `own`, which throws OWNER_LOST once a higher epoch exists. */
export function fencedFiles(ops: FileOps, own: () => Promise<void>): FileOps {
  return {
    ...ops,
    create: async (path, data) => {
      await own();
      return ops.create(path, data);
    },
    openAppend: async (path) => {
      await own();
      return ops.openAppend(path);
    },
    rename: async (from, to) => {
      await own();
      await ops.rename(from, to);
    },
    remove: async (path) => {
      await own();
      await ops.remove(path);
    },
    removeFolder: async (path) => {
      await own();
      await ops.removeFolder(path);
    },
  };
}
