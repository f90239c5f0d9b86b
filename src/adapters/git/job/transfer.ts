/**
 * Transfers commits from one object store to another through internal directories only: no configuration of the user is
 * read.
 */
import { join } from 'node:path';
import type { JobTree } from '../../../engine/job/gitPorts.ts';
import { jobBranchRef } from '../names.ts';
import type { GitLocation, RunGit } from '../runGit.ts';
import { SCRATCH_BASE, withScratchRepository } from '../user/scratchRepository.ts';
import type { ScratchRepository, UserRepository } from '../user/sides.ts';
import { locationOf } from './jobTree.ts';

/** In the private directory: the job's start, and the user's tip as last seen. */
export const BASELINE = 'refs/autonomous/baseline';
export const BASE = 'refs/autonomous/base';

const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--update-shallow',
  '--end-of-options',
] as const;

/** The scratch repository's base becomes the job's branch and its baseline. */
export async function fetchBaseline(
  git: RunGit,
  scratch: ScratchRepository,
  tree: JobTree,
  signal: AbortSignal,
): Promise<void> {
  const refs = [jobBranchRef(tree.branch), BASELINE].map((ref) => `+${SCRATCH_BASE}:${ref}`);
  await git.ok(locationOf(tree), [...FETCH, scratch.gitDir, ...refs], { signal });
}

/** Fetches the user's tip `base` into the private directory. `judge` may refuse it before. */
export async function fetchBase(
  git: RunGit,
  repository: UserRepository,
  tree: JobTree,
  base: string,
  judge?: (scratch: ScratchRepository) => Promise<void>,
): Promise<void> {
  await withScratchRepository(repository, base, async (scratch) => {
    await judge?.(scratch);
    await git.ok(locationOf(tree), [...FETCH, scratch.gitDir, `+${SCRATCH_BASE}:${BASE}`]);
  });
}

/** The scratch repository, but new objects are written to the user's object store: commits for the user's refs. */
export function storePlace(scratch: ScratchRepository): GitLocation {
  return { ...scratch.place, objectDir: scratch.userObjects };
}

/** Copies a commit and its objects from the private directory to the user's objects; no ref changes. */
export async function deliver(git: RunGit, scratch: ScratchRepository, tree: JobTree, commit: string): Promise<void> {
  await git.ok(storePlace(scratch), [...FETCH, tree.gitDir, commit]);
}

/** Path of the journal of a move of the user's checkout. */
export function journalOf(tree: Pick<JobTree, 'gitDir'>): string {
  return join(tree.gitDir, 'move.json');
}
