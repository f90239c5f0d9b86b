/** After a crash in the middle of moving a checkout: the ref tells whether it happened; then the files follow. */
import { lstat, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Incoming, incomingPaths } from './incoming.ts';
import { holdsLock, installIndex, type MoveJournal, readJournal, releaseLock } from './indexLock.ts';
import { splitZ } from './names.ts';
import type { Place, RunGit } from './runGit.ts';
import { type Shadow, withShadow } from './shadow.ts';
import { openUserRepository, tipOf, type UserSide } from './userRepository.ts';

/** Paths of an index whose files are not as it says; missing ones too. */
async function differing(git: RunGit, place: Place): Promise<ReadonlySet<string>> {
  // exit 1 only says that some differ
  await git.run(place, ['update-index', '-q', '--refresh']);
  return new Set(splitZ(await git.ok(place, ['diff-files', '-z', '--name-only', '--ignore-submodules=all'])));
}

interface ToDo {
  readonly write: readonly string[];
  readonly remove: readonly string[];
  /** Neither as before nor as after: the user's, or half written. */
  readonly unclear: readonly string[];
}

async function compare(
  root: string,
  paths: Incoming,
  fromOld: ReadonlySet<string>,
  fromNew: ReadonlySet<string>,
): Promise<ToDo> {
  const there = async (path: string) => (await lstat(join(root, path)).catch(() => null)) !== null;
  const todo = { write: [] as string[], remove: [] as string[], unclear: [] as string[] };
  for (const path of paths.added) {
    if (!(await there(path))) todo.write.push(path);
    else if (fromNew.has(path)) todo.unclear.push(path);
  }
  for (const path of paths.changed) {
    if (!fromNew.has(path)) continue;
    if (!fromOld.has(path) || !(await there(path))) todo.write.push(path);
    else todo.unclear.push(path);
  }
  for (const path of paths.removed) {
    if (!(await there(path))) continue;
    if (fromOld.has(path)) todo.unclear.push(path);
    else todo.remove.push(path);
  }
  return todo;
}

async function removeFile(root: string, path: string): Promise<void> {
  await rm(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    // a folder that is not empty stays, and so do those above it
    const gone = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}

/** Null when done; else why the files were left as they are. */
async function follow(git: RunGit, shadow: Shadow, journal: MoveJournal): Promise<string | null> {
  const after: Place = { ...shadow.place, indexFile: join(shadow.gitDir, 'index-after') };
  const before: Place = { ...shadow.place, indexFile: join(shadow.gitDir, 'index-before') };
  await git.ok(before, ['read-tree', journal.from]);
  await git.ok(after, ['read-tree', journal.to]);
  const paths = await incomingPaths(git, shadow, journal.from, journal.to);
  const todo = await compare(journal.root, paths, await differing(git, before), await differing(git, after));
  if (todo.unclear.length > 0) {
    const some = todo.unclear
      .slice(0, 3)
      .map((path) => JSON.stringify(path))
      .join(', ');
    return `the process died while your checkout was being moved, and ${some} may be yours: see git status`;
  }
  for (const path of todo.remove) await removeFile(journal.root, path);
  if (todo.write.length > 0) {
    const input = todo.write.map((path) => `${path}\0`).join('');
    await git.ok(after, ['checkout-index', '-q', '-f', '-u', '-z', '--stdin'], { input });
  }
  await git.run(after, ['update-index', '-q', '--refresh']);
  await installIndex(journal, await readFile(join(shadow.gitDir, 'index-after')));
  return null;
}

/**
 * Finishes or forgets a move that a crash cut short. Gives what to tell the user, or null when there is nothing to tell.
 * Call it before asking what a merge did.
 */
export async function settleMove(user: UserSide, journalPath: string): Promise<string | null> {
  const journal = await readJournal(journalPath);
  if (journal === null) {
    await rm(journalPath, { force: true });
    return null;
  }
  try {
    if (!(await holdsLock(journal))) return null;
    const repository = await openUserRepository(user, journal.root);
    if ((await tipOf(user.git, repository, journal.ref)) !== journal.to) return null;
    return await withShadow(repository, journal.to, (shadow) => follow(user.git, shadow, journal));
  } finally {
    await releaseLock(journalPath, journal);
  }
}
