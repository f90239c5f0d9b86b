/** Helpers based on `FileOps` alone. They are among the ports because every adapter may import ports, but no other adapter. */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { asFailure, errnoOf, failure } from '../../shared/errors.ts';
import type { FileOps } from './storePorts.ts';

/** How a file is refused that another program has open on Windows, or that this user may not change. */
export const HELD: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];
/** The same for a folder with all in it: until the other program closes a file, its name stays there. */
export const HELD_INSIDE: readonly unknown[] = [...HELD, 'ENOTEMPTY'];
export const HELD_HINT = 'Close the program that has the file open, or give yourself access to it; then try again.';

/** How a disk without hard links refuses one. Windows calls it a folder: so do its disks of the kind exFAT. */
export const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EISDIR'];

/** Adds the path to an error of the disk. Returns an error that is already translated unchanged. */
export function diskFailure(thrown: unknown, path: string): ReturnType<typeof asFailure> {
  const known = asFailure(thrown);
  if (known.code !== 'INTERNAL') return known;
  const errno = String(errnoOf(thrown) ?? 'unknown');
  return failure('DISK', `cannot use ${path}: ${known.message}`, {
    hint: HELD_INSIDE.includes(errno) ? HELD_HINT : 'Make room or repair the disk; then try again.',
    details: { path, errno },
    cause: thrown,
  });
}

/**
 * Replaces the file's whole content atomically: a reader sees the old or the new content, and once this resolves the new one
 * survives a crash. The folder must exist. If this rejects, with the first error, the file has the old content, or the new one
 * without durability. Each call uses a separate draft, so two writers (including a superseded owner) never mix; a kill may leave
 * a draft behind, named `.<file>.<16 hexadecimal digits>.tmp`.
 */
export async function replaceFile(ops: FileOps, path: string, data: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    if (!(await ops.create(draft, data))) throw new Error(`${draft} is taken`);
    await ops.rename(draft, path);
    await ops.syncDir(folder);
  } catch (thrown) {
    // The first error is the one to report.
    await ops.remove(draft).catch(() => undefined);
    throw thrown;
  }
}

/**
 * Creates a file whose name appears only with its whole content; on a disk without links, shortly before. Returns false if the name is
 * taken; that file is not changed. The folder must exist. Throws DISK.
 */
export async function makeFile(ops: FileOps, path: string, data: Uint8Array): Promise<boolean> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(8).toString('hex')}`);
  let isMade = false;
  try {
    await ops.create(draft, data);
    isMade = await ops.link(draft, path).catch((thrown: unknown) => {
      const failed = diskFailure(thrown, path);
      if (!NO_LINKS.includes(failed.details['errno'])) throw failed;
      return ops.create(path, data);
    });
    await ops.syncDir(folder);
    return isMade;
  } finally {
    // A draft that stays is left: the file counts.
    await ops.remove(draft).catch((thrown: unknown) => {
      if (!isMade) throw thrown;
    });
  }
}
