/** Implements `FileOps` on Node's file system. Its failures are DISK, with the path. */
import { constants } from 'node:fs';
import { chmod, type FileHandle, link, lstat, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskFailure } from '../../engine/state/filePorts.ts';
import type { AppendFile, FileOps, FileStat } from '../../engine/state/storePorts.ts';
import { errnoOf } from '../../shared/errors.ts';
import { rename, rm, rmdir } from '../platform/heldFiles.ts';
import { platform } from '../platform/platform.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;

// Windows has no O_NOFOLLOW.
const OLD_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

const MISSING = ['ENOENT', 'ENOTDIR'];
const TAKEN = ['EEXIST'];

/** The promise's value, or `instead` if it fails with one of these error codes. */
async function unless<T, U>(errnos: readonly string[], instead: U, work: Promise<T>): Promise<T | U> {
  try {
    return await work;
  } catch (thrown) {
    if (errnos.includes(String(errnoOf(thrown)))) return instead;
    throw thrown;
  }
}

async function using<T>(handle: FileHandle, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

async function readPart(path: string, length: number, from: 'start' | 'end'): Promise<Uint8Array> {
  return using(await open(path, 'r'), async (handle) => {
    const at = from === 'start' ? 0 : Math.max(0, (await handle.stat()).size - length);
    const part = Buffer.alloc(length);
    const { bytesRead } = await handle.read(part, 0, length, at);
    return part.subarray(0, bytesRead);
  });
}

/** Wraps a function whose first argument is a path. */
function withPath<A extends readonly [string, ...unknown[]], T>(work: (...args: A) => Promise<T>) {
  return async (...args: A): Promise<T> => {
    try {
      return await work(...args);
    } catch (thrown) {
      throw diskFailure(thrown, args[0]);
    }
  };
}

function appendFile(path: string, handle: FileHandle): AppendFile {
  const write = withPath(async (_: string, data: Uint8Array) => (await handle.write(data)).bytesWritten);
  const sync = withPath((_: string) => handle.sync());
  const close = withPath((_: string) => handle.close());
  return { write: (data) => write(path, data), sync: () => sync(path), close: () => close(path) };
}

function kindOf(stat: Awaited<ReturnType<typeof lstat>>): FileStat['kind'] {
  if (stat.isSymbolicLink()) return 'link';
  if (stat.isDirectory()) return 'folder';
  return stat.isFile() ? 'file' : 'other';
}

async function syncDir(path: string): Promise<void> {
  if (!platform.syncsFolders) return;
  await using(await open(path, 'r'), (handle) => handle.sync());
}

/** If the entry of a new folder is lost, files synced inside it are lost with it. */
async function makeDir(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  if (first === undefined) return;
  const made: string[] = [];
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) made.push(folder);
  try {
    for (const folder of made) await syncDir(dirname(folder));
  } catch (thrown) {
    // The next caller that finds the folder would not sync it again. A folder already in use stays.
    for (const folder of made) await rmdir(folder).catch(() => undefined);
    throw thrown;
  }
}

export const nodeFiles: FileOps = {
  makeDir: withPath(makeDir),
  stat: withPath(async (path) => {
    const stat = await unless(MISSING, null, lstat(path));
    return stat && { kind: kindOf(stat), size: stat.size, mode: stat.mode & 0o777, uid: stat.uid };
  }),
  list: withPath((path) => unless(MISSING, [], readdir(path))),
  read: withPath((path, length?: number) =>
    unless(MISSING, null, length === undefined ? readFile(path) : readPart(path, length, 'start')),
  ),
  readEnd: withPath((path, length: number) => unless(MISSING, null, readPart(path, length, 'end'))),
  create: withPath(async (path, data: Uint8Array) => {
    const handle = await unless(TAKEN, null, open(path, NEW_FILE, PRIVATE_FILE));
    if (handle === null) return false;
    try {
      await using(handle, async () => {
        await handle.writeFile(data);
        await handle.sync();
      });
    } catch (thrown) {
      // The first error is the one to report.
      await rm(path, { force: true }).catch(() => undefined);
      throw thrown;
    }
    return true;
  }),
  openNew: withPath(async (path) => {
    const handle = await unless(TAKEN, null, open(path, NEW_FILE, PRIVATE_FILE));
    return handle && appendFile(path, handle);
  }),
  openAppend: withPath(async (path) => appendFile(path, await open(path, OLD_FILE, PRIVATE_FILE))),
  rename: withPath((from, to: string) => rename(from, to)),
  link: withPath(async (from, to: string) => (await unless(TAKEN, false, link(from, to))) !== false),
  remove: withPath((path) => rm(path, { force: true })),
  removeFolder: withPath((path) => rm(path, { recursive: true, force: true })),
  chmod: withPath((path, mode: number) => chmod(path, mode)),
  syncDir: withPath(syncDir),
};
