/** Checks, before a move of the user's checkout starts, whether the disk and its folders accept the files. */
import { access, constants, lstat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, failure } from '../../../../shared/errors.ts';
import { diskPath, splitZ, treeLine } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import type { FreeBytes, Incoming, ScratchRepository } from '../sides.ts';

export const freeOnDisk: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const BLOCK_BYTES = 4096;
/** Margin for refs, folders, longer line ends, and concurrent writes of other programs. */
const MARGIN_BYTES = 2_000_000;

/** Bytes of the files of a commit at these paths, and of an index of the whole commit. */
async function bytesOf(
  git: RunGit,
  scratch: ScratchRepository,
  commit: string,
  paths: ReadonlySet<string>,
): Promise<number> {
  const list = splitZ(
    await git.ok(scratch.place, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit], { bytes: true }),
  );
  let bytes = 0;
  for (const line of list) {
    const { path, bytes: size } = treeLine(line);
    bytes += path.length + 100;
    if (paths.has(path)) bytes += (Math.ceil(size / BLOCK_BYTES) + 1) * BLOCK_BYTES;
  }
  return bytes;
}

/**
 * Throws DISK if there is no space for the incoming files. Old files are removed only one by one, so they free no space
 * in the estimate.
 */
export async function needRoomFor(
  git: RunGit,
  scratch: ScratchRepository,
  { root, to, incoming }: { readonly root: string; readonly to: string; readonly incoming: Incoming },
  freeBytes: FreeBytes,
): Promise<void> {
  const need = (await bytesOf(git, scratch, to, new Set([...incoming.added, ...incoming.changed]))) + MARGIN_BYTES;
  const free = await freeBytes(root);
  if (free >= need) return;
  const [wanted, there] = [Math.ceil(need / 1e6), Math.floor(free / 1e6)];
  throw failure('DISK', `the checkout in ${root} needs ${wanted} MB for the merge, and ${there} MB are free`, {
    hint: 'Free some space: the merge is retried automatically.',
    details: { path: root, free, need },
  });
}

/** The first folder (relative) in which no file can be created or removed, or null. */
export async function closedFolder(root: string, incoming: Incoming): Promise<string | null> {
  const folders = new Set([...incoming.added, ...incoming.changed, ...incoming.removed].map((path) => dirname(path)));
  for (const folder of folders) {
    let at = folder;
    while (at !== '.' && (await lstat(diskPath(root, at)).catch(() => null))?.isDirectory() !== true) at = dirname(at);
    const refused = await access(diskPath(root, at), constants.W_OK | constants.X_OK).then(() => null, errnoOf);
    if (refused !== null) return at;
  }
  return null;
}
