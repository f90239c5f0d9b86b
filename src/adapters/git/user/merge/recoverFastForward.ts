/**
 * Recovers a move of a checkout that a crash or a full disk interrupted: the ref shows the direction, and the files
 * follow.
 */
import { readFile } from 'node:fs/promises';
import type { RunGit } from '../../runGit.ts';
import { bringFiles } from '../checkoutFiles.ts';
import { dropLock, installIndex, lockAgain, type MoveJournal, readJournal, releaseLock } from '../indexLock.ts';
import { checkoutsOf } from '../refs.ts';
import { withScratchRepository } from '../scratchRepository.ts';
import type { ScratchRepository, UserSide } from '../sides.ts';
import { openUserRepository, tipOf } from '../userRepository.ts';

export type Settled =
  /** `note`: a notice for the user, or null. */
  | { readonly outcome: 'settled'; readonly note: string | null }
  /** Blocked by another git; no files may be moved before it ends. */
  | { readonly outcome: 'pending'; readonly reason: string };

const NOTHING: Settled = { outcome: 'settled', note: null };

const leftAlone = (what: string) =>
  `the process died while your checkout was being moved, and ${what} may be yours: see git status`;

/** Whether the index still is that of one of the two commits: without the lock, the user may have staged something. */
async function isOurs(git: RunGit, scratch: ScratchRepository, { from, to }: MoveJournal): Promise<boolean> {
  for (const commit of [from, to])
    if ((await git.run(scratch.place, ['diff-index', '--cached', '--quiet', commit, '--'])).code === 0) return true;
  return false;
}

/** Returns the reason why the files were left unchanged, or null. */
async function follow(git: RunGit, scratch: ScratchRepository, journal: MoveJournal): Promise<string | null> {
  if (!(await isOurs(git, scratch, journal))) return leftAlone('what is staged');
  const { index, users } = await bringFiles(git, scratch, { ...journal, partly: false });
  if (users.length === 0) {
    await installIndex(journal, await readFile(index));
    return null;
  }
  const some = users.slice(0, 3).map((path) => JSON.stringify(path));
  return leftAlone(some.join(', '));
}

/** The branch is back. Moves the files back, except those that are the user's. The user's index was never changed. */
export async function bringBack(
  git: RunGit,
  scratch: ScratchRepository,
  { root, from, to }: MoveJournal,
): Promise<void> {
  await bringFiles(git, scratch, { root, from: to, to: from, partly: true });
}

async function settle({ git, ...user }: UserSide, journal: MoveJournal): Promise<string | null> {
  const repository = await openUserRepository({ git, ...user }, journal.root);
  const tip = await tipOf(git, repository, journal.ref);
  const back = tip === journal.from && journal.undoing;
  if (tip === null || (tip !== journal.to && !back)) return null;
  // The user has checked out another branch since: these files must not be moved.
  if (!(await checkoutsOf(git, repository, journal.ref)).includes(repository.root)) return null;
  return withScratchRepository(repository, tip, async (scratch) => {
    if (!back) return follow(git, scratch, journal);
    if (await isOurs(git, scratch, journal)) await bringBack(git, scratch, journal);
    return null;
  });
}

/**
 * Completes, undoes or drops an interrupted move; a failure keeps the journal for the next attempt, but never a lock.
 * Call it before reading the outcome of a merge, and before a move.
 */
export async function recoverFastForward(user: UserSide, journalPath: string): Promise<Settled> {
  const journal = await readJournal(journalPath);
  if (journal === null) return NOTHING;
  const lock = await lockAgain(journal);
  if (lock === 'taken') {
    const reason = `another git is at work in ${journal.root} (its index.lock exists) and blocks an interrupted merge: try again`;
    return { outcome: 'pending', reason };
  }
  try {
    const note = lock === 'gone' ? null : await settle(user, journal);
    await releaseLock(journalPath, journal);
    return { outcome: 'settled', note };
  } finally {
    await dropLock(journal);
  }
}
