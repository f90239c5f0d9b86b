/**
 * Reads and writes files of the state that have no seal: memory, skills, templates. Files that the repository tracks are ignored
 * and never overwritten, because their author is not the user of this workspace.
 */
import { basename, join } from 'node:path';
import { failure } from '../../shared/errors.ts';
import type { FileOps } from './storePorts.ts';

/** Whether this file, by its absolute path, came with the repository. */
export type Shipped = (path: string) => Promise<boolean>;

/** Like `isShipped`; `problem` receives one text for each omitted file. */
export function reportedOnce(isShipped: Shipped, problem: (text: string) => void): Shipped {
  const told = new Set<string>();
  return async (path) => {
    if (!(await isShipped(path))) return false;
    if (!told.has(path)) problem(`${path} came with the repository: it is not used`);
    told.add(path);
    return true;
  };
}

/** `ops` without what came with the repository. */
export function ownFiles(shipped: Shipped, ops: FileOps): FileOps {
  const spare = async (path: string): Promise<void> => {
    if ((await ops.stat(path)) === null || !(await shipped(path))) return;
    throw failure('NOT_PERMITTED', `${basename(path)} came with the repository: it is not used, and not written over`, {
      hint: 'Choose another name; or take it out of the repository (git rm --cached) to have it count.',
      details: { path },
    });
  };
  const spareAll = async (path: string): Promise<void> => {
    if ((await ops.stat(path))?.kind !== 'folder') return spare(path);
    for (const name of await ops.list(path)) await spareAll(join(path, name));
  };
  return {
    ...ops,
    stat: async (path) => {
      const found = await ops.stat(path);
      return found?.kind === 'file' && (await shipped(path)) ? null : found;
    },
    read: async (path, length) => {
      const data = await ops.read(path, length);
      return data !== null && (await shipped(path)) ? null : data;
    },
    rename: async (from, to) => {
      // A visible file is untracked; a folder may contain tracked files.
      if ((await ops.stat(from))?.kind === 'folder') await spareAll(from);
      await spare(to);
      await ops.rename(from, to);
    },
    openAppend: async (path) => {
      await spare(path);
      return ops.openAppend(path);
    },
    remove: async (path) => {
      await spare(path);
      await ops.remove(path);
    },
    removeFolder: async (path) => {
      await spareAll(path);
      await ops.removeFolder(path);
    },
  };
}
