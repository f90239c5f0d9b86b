/**
 * Moves the files of the user's checkout from one commit to another after an interrupted move: some files may have
 * moved, one may be half written. A file that matches neither commit is the user's and stays. Paths have one character
 * per byte.
 */
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm, rmdir } from '../../platform/heldFiles.ts';
import { diskPath, shownPath, splitZ } from '../names.ts';
import { type GitLocation, gitFailure, type RunGit } from '../runGit.ts';
import { incomingPaths } from './merge/incoming.ts';
import type { Incoming, ScratchRepository } from './sides.ts';

/** Paths of an index whose files differ from it or are missing. */
async function differing(git: RunGit, place: GitLocation): Promise<ReadonlySet<string>> {
  const refresh = ['update-index', '-q', '--refresh'];
  const answer = await git.run(place, refresh);
  // 1 only means that some differ; after any other failure, all files would seem to be the user's
  if (answer.code !== 0 && answer.code !== 1) throw gitFailure(refresh, answer);
  const list = ['diff-files', '-z', '--name-only', '--ignore-submodules=all'];
  return new Set(splitZ(await git.ok(place, list, { bytes: true })));
}

const statOf = (root: string, path: string) => lstat(diskPath(root, path)).catch(() => null);
const lines = (paths: readonly string[]) => paths.map((path) => `${path}\0`).join('');

/** Returns the files that contain only the beginning of the content that git was writing. */
async function cutShort(git: RunGit, root: string, index: GitLocation, paths: readonly string[], whole: string) {
  const cut = new Set<string>();
  const files: string[] = [];
  for (const path of paths) if ((await statOf(root, path))?.isFile()) files.push(path);
  if (files.length === 0) return cut;
  const args = ['checkout-index', '-q', '-f', '-z', '--stdin', `--prefix=${whole}/`];
  await git.ok(index, args, { input: lines(files), bytes: true });
  for (const path of files) {
    const [part, all] = [await statOf(root, path), await statOf(whole, path)];
    if (part === null || !all?.isFile() || part.size >= all.size) continue;
    const [start, text] = [await readFile(diskPath(root, path)), await readFile(diskPath(whole, path))];
    if (start.equals(text.subarray(0, start.length))) cut.add(path);
  }
  return cut;
}

/** Whether a file of the user blocks a folder of this path. */
async function isBlocked(root: string, path: string, leaving: ReadonlySet<string>): Promise<boolean> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const stat = await statOf(root, folder);
    if (stat !== null) return !stat.isDirectory() && !leaving.has(folder);
  }
  return false;
}

interface ToDo {
  readonly write: readonly string[];
  readonly remove: readonly string[];
  /** Files that match neither the old nor the new commit. */
  readonly unclear: readonly string[];
}

async function compare(
  root: string,
  paths: Incoming,
  fromOld: ReadonlySet<string>,
  fromNew: ReadonlySet<string>,
): Promise<ToDo> {
  const todo = { write: [] as string[], remove: [] as string[], unclear: [] as string[] };
  const leaving = new Set(paths.removed);
  for (const path of [...paths.added, ...paths.changed]) {
    if (!fromNew.has(path)) continue;
    const there = (await statOf(root, path)) !== null;
    if (there ? paths.added.includes(path) || fromOld.has(path) : await isBlocked(root, path, leaving))
      todo.unclear.push(path);
    else todo.write.push(path);
  }
  for (const path of paths.removed) {
    if ((await statOf(root, path)) === null) continue;
    if (fromOld.has(path)) todo.unclear.push(path);
    else todo.remove.push(path);
  }
  return todo;
}

async function removeFile(root: string, path: string): Promise<void> {
  await rm(diskPath(root, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    // a folder that is not empty stays, and so do its parents
    const gone = await rmdir(diskPath(root, folder)).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}

export interface Bringing {
  readonly root: string;
  readonly from: string;
  readonly to: string;
  /** Whether files of the user among them stay while the others move; if false, all stay. */
  readonly partly: boolean;
}

/** Returns the index of the moved files, and the paths that are the user's, as text. */
export async function bringFiles(
  git: RunGit,
  scratch: ScratchRepository,
  { root, from, to, partly }: Bringing,
): Promise<{ readonly index: string; readonly users: readonly string[] }> {
  const index = join(scratch.gitDir, 'index-after');
  const after: GitLocation = { ...scratch.place, indexFile: index };
  const before: GitLocation = { ...scratch.place, indexFile: join(scratch.gitDir, 'index-before') };
  await git.ok(before, ['read-tree', from]);
  await git.ok(after, ['read-tree', to]);
  const paths = await incomingPaths(git, scratch, from, to);
  const todo = await compare(root, paths, await differing(git, before), await differing(git, after));
  const [added, removed] = [new Set(paths.added), new Set(paths.removed)];
  const cutIn = (place: GitLocation, absent: ReadonlySet<string>, name: string) => {
    const unclear = todo.unclear.filter((path) => !absent.has(path));
    return cutShort(git, root, place, unclear, join(scratch.gitDir, name));
  };
  const cut = new Set([
    ...(await cutIn(after, removed, 'whole-after')),
    ...(await cutIn(before, added, 'whole-before')),
  ]);
  const users = todo.unclear.filter((path) => !cut.has(path));
  const named = users.map(shownPath);
  if (users.length > 0 && !partly) return { index, users: named };
  for (const path of [...todo.remove, ...[...cut].filter((each) => removed.has(each))]) await removeFile(root, path);
  const write = [...todo.write, ...[...cut].filter((path) => !removed.has(path))];
  if (write.length > 0) {
    const args = ['checkout-index', '-q', '-f', '-u', '-z', '--stdin'];
    await git.ok(after, args, { input: lines(write), bytes: true });
  }
  // exit 1 only means that some differ
  await git.run(after, ['update-index', '-q', '--refresh']);
  return { index, users: named };
}
