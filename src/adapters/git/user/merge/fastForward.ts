/**
 * Moves a branch of the user's repository forward, and the user's checkout with it: only a clean checkout, only if no
 * untracked file is in the way. Everything is checked first, under the lock of the user's index; then the branch moves
 * by compare-and-swap; then the files. If the files cannot be moved, everything is rolled back.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AutonomousError, asFailure, failure } from '../../../../shared/errors.ts';
import { gitFailure, heldBy, type RunGit } from '../../runGit.ts';
import { bringFiles } from '../checkoutFiles.ts';
import { beginUndoing, dropLock, installIndex, type MoveJournal, releaseLock, takeLock } from '../indexLock.ts';
import { checkoutsOf, type RefChange, type SwapResult, swapRefs } from '../refs.ts';
import { withScratchRepository } from '../scratchRepository.ts';
import type { ScratchRepository, UserRepository, UserSide } from '../sides.ts';
import { openUserRepository, tipOf } from '../userRepository.ts';
import { objectionToMove } from './incoming.ts';
import { bringBack } from './recoverFastForward.ts';

const LOCK_TRIES = 40;
const LOCK_PAUSE_MS = 100;

export interface BranchMove {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** Other refs that change in the same transaction. */
  readonly also: readonly RefChange[];
  /** Text for the reflog; a constant. */
  readonly reason: string;
  /** Journal file of the move in progress. An earlier move in it must be settled before. */
  readonly journal: string;
}

export type MoveResult =
  | { readonly outcome: 'moved'; readonly checkedOut: boolean }
  | Exclude<SwapResult, { readonly outcome: 'moved' }>;

/** Named points for tests that race or crash there. */
export interface MovePoints {
  readonly beforeSwap?: () => Promise<void>;
  readonly afterSwap?: () => Promise<void>;
}

async function moveLocked(
  user: UserSide,
  repository: UserRepository,
  move: BranchMove,
  lock: MoveJournal,
  points: MovePoints,
): Promise<MoveResult> {
  const { git } = user;
  const changes = changesOf(move);
  // The previous holder of the lock may have moved the branch: then the checkout is that of another commit.
  if ((await tipOf(git, repository, move.ref)) !== move.from) return { outcome: 'raced' };
  return withScratchRepository(repository, move.from, async (scratch): Promise<MoveResult> => {
    const reason = await objectionToMove(user, scratch, repository, move);
    if (reason !== null) return { outcome: 'refused', reason };
    await points.beforeSwap?.();
    const swapped = await swapRefs(git, repository, changes, move.reason);
    if (swapped.outcome !== 'moved') return swapped;
    await points.afterSwap?.();
    const failed = await moveFiles(git, scratch, move, lock);
    return failed === null
      ? { outcome: 'moved', checkedOut: true }
      : takeBack(user, repository, { move, lock, scratch, failed });
  });
}

const changesOf = (move: BranchMove): RefChange[] => [...move.also, { ref: move.ref, from: move.from, to: move.to }];

/** Returns null, or the failure: then any part of the move may be done. */
async function moveFiles(
  git: RunGit,
  scratch: ScratchRepository,
  { from, to }: BranchMove,
  lock: MoveJournal,
): Promise<AutonomousError | null> {
  const args = ['read-tree', '-m', '-u', from, to];
  const answer = await git.run(scratch.place, args);
  let index = join(scratch.gitDir, 'index');
  try {
    if (heldBy(answer) !== null) {
      // The rest of the files are waited for. Git may have left a removed one, and ended with 0.
      const brought = await bringFiles(git, scratch, { root: lock.root, from, to, partly: false });
      if (brought.users.length > 0) return gitFailure(args, answer);
      index = brought.index;
    } else if (answer.code !== 0) return gitFailure(args, answer);
    await installIndex(lock, await readFile(index));
    return null;
  } catch (thrown) {
    return asFailure(thrown);
  }
}

/**
 * The user saved a file in the last moment, or the disk is full: rolls back the branch, and each file that is not the
 * user's. If that fails, the move stays in the journal. Throws DISK.
 */
async function takeBack(
  user: UserSide,
  repository: UserRepository,
  {
    move,
    lock,
    scratch,
    failed,
  }: { move: BranchMove; lock: MoveJournal; scratch: ScratchRepository; failed: AutonomousError },
): Promise<MoveResult> {
  await beginUndoing(move.journal, lock);
  const back = changesOf(move).map(({ ref, from, to }) => ({ ref, from: to, to: from }));
  const swapped = await swapRefs(user.git, repository, back, 'autonomous: take back');
  if (swapped.outcome === 'refused') {
    throw failure('GIT_FAILED', `the files of ${move.ref} could not be moved, and it not back: ${swapped.reason}`, {
      hint: 'The files follow at the next attempt.',
      cause: failed,
    });
  }
  const why = `the checkout could not be moved (${failed.message})`;
  if (swapped.outcome === 'raced')
    return { outcome: 'refused', reason: `${why}; the branch moved on, the files did not: see git status` };
  await bringBack(user.git, scratch, lock);
  if (failed.code !== 'DISK') return { outcome: 'refused', reason: why };
  await releaseLock(move.journal, lock);
  throw failed;
}

/**
 * An editor's git, or another job's merge, holds the lock for a moment only. Returns null if the lock is held for
 * longer.
 */
async function waitForLock(user: UserSide, at: UserRepository, move: BranchMove): Promise<MoveJournal | null> {
  const { root, gitDir } = at;
  const { journal, ref, from, to } = move;
  for (let tries = 1; ; tries++) {
    const lock = await takeLock(journal, { root, gitDir, ref, from, to });
    if (lock !== null || tries === LOCK_TRIES) return lock;
    await user.clock.sleep(LOCK_PAUSE_MS);
  }
}

/**
 * Moves the branch from one commit to a descendant. If a checkout of it may not be moved, the branch does not move
 * either.
 */
export async function fastForward(
  user: UserSide,
  repository: UserRepository,
  move: BranchMove,
  points: MovePoints = {},
): Promise<MoveResult> {
  const folders = await checkoutsOf(user.git, repository, move.ref);
  const [folder, ...more] = folders;
  if (folder === undefined) {
    await points.beforeSwap?.();
    const swapped = await swapRefs(user.git, repository, changesOf(move), move.reason);
    await points.afterSwap?.();
    return swapped.outcome === 'moved' ? { outcome: 'moved', checkedOut: false } : swapped;
  }
  if (more.length > 0)
    return { outcome: 'refused', reason: `the branch is checked out more than once: ${folders.join(', ')}` };
  const at = await openUserRepository(user, folder);
  const lock = await waitForLock(user, at, move);
  if (lock === null) {
    return { outcome: 'refused', reason: `another git is at work in ${at.root} (its index.lock exists): try again` };
  }
  try {
    const result = await moveLocked(user, at, move, lock, points);
    await releaseLock(move.journal, lock);
    return result;
  } finally {
    await dropLock(lock);
  }
}
