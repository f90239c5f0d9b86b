/** `FileOps` on Node's file system. */
import { constants } from 'node:fs';
import { chmod, type FileHandle, link, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import type { AppendFile, FileOps, FileStat } from '../engine/ports.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;

// Windows knows no O_NOFOLLOW.
const OLD_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

function errnoOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : '';
}

const MISSING = ['ENOENT', 'ENOTDIR'];
const TAKEN = ['EEXIST'];

/** The promise's value, or `instead` when it fails with one of these. */
async function unless<T, U>(errnos: readonly string[], instead: U, work: Promise<T>): Promise<T | U> {
  try {
    return await work;
  } catch (thrown) {
    if (errnos.includes(errnoOf(thrown))) return instead;
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

async function readStart(path: string, length: number): Promise<Uint8Array> {
  return using(await open(path, 'r'), async (handle) => {
    const start = Buffer.alloc(length);
    const { bytesRead } = await handle.read(start, 0, length, 0);
    return start.subarray(0, bytesRead);
  });
}

function appendFile(handle: FileHandle): AppendFile {
  return {
    write: async (data) => (await handle.write(data)).bytesWritten,
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

function kindOf(stat: Awaited<ReturnType<typeof lstat>>): FileStat['kind'] {
  if (stat.isSymbolicLink()) return 'link';
  if (stat.isDirectory()) return 'folder';
  return stat.isFile() ? 'file' : 'other';
}

export const nodeFiles: FileOps = {
  makeDir: async (path) => {
    await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  },
  stat: async (path) => {
    const stat = await unless(MISSING, null, lstat(path));
    return stat && { kind: kindOf(stat), size: stat.size, mode: stat.mode & 0o777, uid: stat.uid };
  },
  list: (path) => unless(MISSING, [], readdir(path)),
  read: (path, length) => unless(MISSING, null, length === undefined ? readFile(path) : readStart(path, length)),
  create: async (path, data) => {
    const handle = await unless(TAKEN, null, open(path, NEW_FILE, PRIVATE_FILE));
    if (handle === null) return false;
    await using(handle, async () => {
      await handle.writeFile(data);
      await handle.sync();
    });
    return true;
  },
  openNew: async (path) => {
    const handle = await unless(TAKEN, null, open(path, NEW_FILE, PRIVATE_FILE));
    return handle && appendFile(handle);
  },
  openAppend: async (path) => appendFile(await open(path, OLD_FILE, PRIVATE_FILE)),
  rename,
  link: async (from, to) => (await unless(TAKEN, false, link(from, to))) !== false,
  remove: (path) => rm(path, { force: true }),
  chmod,
  syncDir: async (path) => {
    // A folder cannot be opened on Windows; names are durable there once the file is.
    if (process.platform === 'win32') return;
    await using(await open(path, 'r'), (handle) => handle.sync());
  },
};
