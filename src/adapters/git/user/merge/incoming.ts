/** Checks whether a checkout of the user may be moved: incoming files, and the user's files in their way. Read-only. */
import { lstat } from 'node:fs/promises';
import { diskPath, shownPath, splitZ } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import { FILTERED, listCommit, usesFilters } from '../filters.ts';
import { uncommitted } from '../inspect.ts';
import type { Incoming, ScratchRepository, UserRepository, UserSide } from '../sides.ts';
import { closedFolder, freeOnDisk, needRoomFor } from './diskSpace.ts';

/** Paths that differ between two commits. */
export async function incomingPaths(
  git: RunGit,
  scratch: ScratchRepository,
  from: string,
  to: string,
): Promise<Incoming> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', '--no-commit-id', from, to, '--'];
  const fields = splitZ(await git.ok(scratch.place, args, { bytes: true }));
  const pairs = fields.flatMap((status, at) => (at % 2 === 0 ? [{ status, path: fields[at + 1] ?? '' }] : []));
  const paths = (wanted: string) => pairs.filter(({ status }) => wanted.includes(status)).map(({ path }) => path);
  return { added: paths('A'), changed: paths('MT'), removed: paths('D') };
}

/** The first file of the user that an added path would overwrite, or null. */
async function inTheWay(root: string, { added, removed }: Incoming): Promise<string | null> {
  const leaving = new Set(removed);
  for (const path of added) {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const at = parts.slice(0, depth).join('/');
      const there = await lstat(diskPath(root, at)).catch(() => null);
      if (there === null || leaving.has(at)) break;
      if (depth < parts.length && there.isDirectory()) continue;
      // a folder whose files are all removed: git refuses if it contains anything else
      if (there.isDirectory() && removed.some((gone) => gone.startsWith(`${at}/`))) break;
      return at;
    }
  }
  return null;
}

/** The reason why this checkout may not be moved, with a remedy; null if it may. Throws DISK if there is no space. */
export async function objectionToMove(
  { git, freeBytes = freeOnDisk }: UserSide,
  scratch: ScratchRepository,
  repository: UserRepository,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | null> {
  const { dirty } = await uncommitted(git, scratch, 'no');
  if (dirty.length > 0) {
    const some = dirty.slice(0, 3).map((path) => JSON.stringify(path));
    const list = `${some.join(', ')}${dirty.length > 3 ? ', …' : ''}`;
    return `${repository.root} has uncommitted changes (${list}): commit or stash them, or take the result as a branch`;
  }
  if (usesFilters(repository, await listCommit(git, scratch, to))) {
    return FILTERED;
  }
  const incoming = await incomingPaths(git, scratch, from, to);
  const blocking = await inTheWay(repository.root, incoming);
  if (blocking !== null) {
    const name = JSON.stringify(shownPath(blocking));
    return `an untracked or ignored file would be overwritten: ${name}; move it away, or take the result as a branch`;
  }
  const closed = await closedFolder(repository.root, incoming);
  if (closed !== null) {
    return `nothing can be written in the folder ${JSON.stringify(shownPath(closed))} of ${repository.root}: change that, or take the result as a branch`;
  }
  await needRoomFor(git, scratch, { root: repository.root, to, incoming }, freeBytes);
  // A file that was rewritten with the same text does not count as the user's change; exit 1 only means that some
  // differ.
  await git.run(scratch.place, ['update-index', '-q', '--refresh']);
  const trial = await git.run(scratch.place, ['read-tree', '-m', '-u', '-n', from, to]);
  return trial.code === 0 ? null : `git would not move the checkout: ${trial.stderr.trim().split('\n')[0]}`;
}
