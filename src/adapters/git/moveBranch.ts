/**
 * Moving a branch of the user's repository forward, and his checkout of it with it: only a clean checkout, only when
 * no file of his that git does not track lies in the way. Everything is looked at first, under his own index lock;
 * then the branch moves by compare-and-swap; then the files.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { objectionToMove } from './incoming.ts';
import { installIndex, type MoveJournal, releaseLock, takeLock } from './indexLock.ts';
import { checkoutsOf, type RefChange, type SwapResult, swapRefs } from './refs.ts';
import { withShadow } from './shadow.ts';
import { openUserRepository, tipOf, type UserRepository, type UserSide } from './userRepository.ts';

const LOCK_TRIES = 40;
const LOCK_PAUSE_MS = 100;

export interface BranchMove {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** Refs that change in the same transaction. */
  readonly also: readonly RefChange[];
  /** For the reflog; a constant. */
  readonly reason: string;
  /** File of ours for what is under way. */
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
  const changes = [...move.also, { ref: move.ref, from: move.from, to: move.to }];
  // Whoever held the lock before may have moved it: then the checkout is that of another commit.
  if ((await tipOf(git, repository, move.ref)) !== move.from) return { outcome: 'raced' };
  return withShadow(repository, move.from, async (shadow): Promise<MoveResult> => {
    const reason = await objectionToMove(git, shadow, repository, move);
    if (reason !== null) return { outcome: 'refused', reason };
    await points.beforeSwap?.();
    const swapped = await swapRefs(git, repository, changes, move.reason);
    if (swapped.outcome !== 'moved') return swapped;
    await points.afterSwap?.();
    const follow = await git.run(shadow.place, ['read-tree', '-m', '-u', move.from, move.to]);
    if (follow.code !== 0) return takeBack(user, repository, move, follow.stderr);
    await installIndex(lock, await readFile(join(shadow.gitDir, 'index')));
    return { outcome: 'moved', checkedOut: true };
  });
}

/** The user saved a file in the last moment: git wrote nothing, and the branch goes back. */
async function takeBack(
  user: UserSide,
  repository: UserRepository,
  move: BranchMove,
  stderr: string,
): Promise<MoveResult> {
  const back = [{ ref: move.ref, from: move.to, to: move.from }];
  const result = await swapRefs(user.git, repository, back, 'autonomous: take back');
  const why = stderr.trim().split('\n')[0];
  const left = result.outcome === 'moved' ? '' : '; the branch moved, the files did not: see git status';
  return { outcome: 'refused', reason: `the checkout changed while it was being moved (${why})${left}` };
}

/** An editor's git, or another job's merge, holds it for a moment only; null: for longer. */
async function waitForLock(user: UserSide, at: UserRepository, move: BranchMove): Promise<MoveJournal | null> {
  const { root, gitDir } = at;
  const { journal, ref, from, to } = move;
  for (let tries = 1; ; tries++) {
    const lock = await takeLock(journal, { root, gitDir, ref, from, to });
    if (lock !== null || tries === LOCK_TRIES) return lock;
    await user.clock.sleep(LOCK_PAUSE_MS);
  }
}

/** Moves the branch from one commit to a descendant. A checkout of it that may not be moved refuses the whole. */
export async function moveBranch(
  user: UserSide,
  repository: UserRepository,
  move: BranchMove,
  points: MovePoints = {},
): Promise<MoveResult> {
  const folders = await checkoutsOf(user.git, repository, move.ref);
  const [folder, ...more] = folders;
  if (folder === undefined) {
    await points.beforeSwap?.();
    const changes = [...move.also, { ref: move.ref, from: move.from, to: move.to }];
    const swapped = await swapRefs(user.git, repository, changes, move.reason);
    await points.afterSwap?.();
    return swapped.outcome === 'moved' ? { outcome: 'moved', checkedOut: false } : swapped;
  }
  if (more.length > 0)
    return { outcome: 'refused', reason: `the branch is checked out more than once: ${folders.join(', ')}` };
  const at = await openUserRepository(user, folder);
  const lock = await waitForLock(user, at, move);
  if (lock === null) {
    return { outcome: 'refused', reason: `another git is at work in ${at.root} (its index.lock is there): try again` };
  }
  try {
    return await moveLocked(user, at, move, lock, points);
  } finally {
    await releaseLock(move.journal, lock);
  }
}
