/**
 * Checks the runtime folder before a client looks for an owner in it. In a shared temp folder, another user may have
 * created it first, with a socket and a token: a client would trust everything that this user's "owner" sends.
 */
import { constants, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { type FileStat, requireOwnPlace } from '../../core/guard/ownPlace.ts';
import { errnoOf, failure } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';

const TOKEN_BYTES = 1_024;

const seen = (stat: Stats): FileStat => ({
  kind: stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other',
  uid: stat.uid,
  mode: stat.mode,
});

const requireOwn = (path: string, stat: Stats, wanted: 'folder' | 'file'): void =>
  requireOwnPlace(path, seen(stat), wanted, process.getuid?.());

/** Whether the folder exists. Throws NOT_PERMITTED if it is a link, another user's, or writable for others. */
export async function isOwnFolder(path: string): Promise<boolean> {
  const stat = await lstat(path).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  });
  if (stat === null) return false;
  requireOwn(path, stat, 'folder');
  return true;
}

/**
 * Creates the runtime folder, for this user only. Throws NOT_PERMITTED if the path is a link, another user's folder, or
 * one that others may write.
 */
export async function makeRuntimeDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const stat = await lstat(path);
  requireOwn(path, stat, 'folder');
  if (platform.hasModes && (stat.mode & 0o077) !== 0) await chmod(path, 0o700);
}

/** The text of a token file, '' if there is none. Throws NOT_PERMITTED if it is not private to this user. */
export async function readToken(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(
    (thrown: unknown) => {
      if (errnoOf(thrown) === 'ENOENT') return null;
      throw failure('NOT_PERMITTED', `${path} is not a token of yours`, { cause: thrown, details: { path } });
    },
  );
  if (file === null) return '';
  try {
    requireOwn(path, await file.stat(), 'file');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TOKEN_BYTES), 0, TOKEN_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
