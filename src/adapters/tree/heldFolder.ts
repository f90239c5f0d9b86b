/**
 * Holds a folder open: an entry reached through it belongs to it, wherever its path leads meanwhile. Linux reaches
 * entries through the open folder; on other systems they are reached by path, and the path is checked again afterwards.
 */
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';

export interface HeldFolder {
  /** Path of an entry, valid while the folder is held. */
  at(name: string): string;
  /** Throws if an entry reached by `at` may have been another folder's. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const NEW_FOLDER = 0o755;

const swapped = (): Error => Object.assign(new Error('a folder became another one'), { code: 'ELOOP' });

/** `path` contains no link, which the caller knows or has just checked. */
async function hold(path: string): Promise<HeldFolder> {
  if (platform.name !== 'linux') return held(path);
  const handle = await open(path, FOLDER);
  return {
    at: (name) => join('/proc/self/fd', String(handle.fd), name),
    check: async () => undefined,
    close: () => handle.close(),
  };
}

async function held(path: string): Promise<HeldFolder> {
  const check = async (): Promise<void> => {
    if ((await realpath(path)) !== path || !(await lstat(path)).isDirectory()) throw swapped();
  };
  await check();
  return { at: (name) => join(path, name), check, close: async () => undefined };
}

/** Opens the next folder down; `make` creates it if it does not exist. No link is followed. */
async function enter(folder: HeldFolder, name: string, make: boolean): Promise<HeldFolder> {
  try {
    return await hold(folder.at(name));
  } catch (thrown) {
    if (!make || errnoOf(thrown) !== 'ENOENT') throw thrown;
  }
  try {
    await mkdir(folder.at(name), NEW_FOLDER);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
  await folder.check();
  return hold(folder.at(name));
}

/** Goes down from a real path by names that are not links, and does the work in the last folder. */
export async function within<T>(
  root: string,
  names: readonly string[],
  make: boolean,
  work: (folder: HeldFolder) => Promise<T>,
): Promise<T> {
  let folder = await hold(root);
  try {
    for (const name of names) {
      const next = await enter(folder, name, make);
      await folder.close();
      folder = next;
    }
    return await work(folder);
  } finally {
    await folder.close();
  }
}
