/** Commits from one object store to another, through directories of ours only: no configuration of the user's is read. */
import { join } from 'node:path';
import type { JobTree } from '../../../engine/job/gitPorts.ts';
import { jobBranchRef } from '../names.ts';
import type { Place, RunGit } from '../runGit.ts';
import { SHADOW_BASE, withShadow } from '../user/shadow.ts';
import type { Shadow, UserRepository } from '../user/sides.ts';
import { placeOf } from './jobTree.ts';

/** In the private directory: what the job started from, and the user's tip as last seen. */
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

/** The shadow's base becomes the job's branch and its baseline. */
export async function fetchBaseline(git: RunGit, shadow: Shadow, tree: JobTree, signal: AbortSignal): Promise<void> {
  const refs = [jobBranchRef(tree.branch), BASELINE].map((ref) => `+${SHADOW_BASE}:${ref}`);
  await git.ok(placeOf(tree), [...FETCH, shadow.gitDir, ...refs], { signal });
}

/** The user's tip `base` becomes known in the private directory. `judge` may refuse it before. */
export async function fetchBase(
  git: RunGit,
  repository: UserRepository,
  tree: JobTree,
  base: string,
  judge?: (shadow: Shadow) => Promise<void>,
): Promise<void> {
  await withShadow(repository, base, async (shadow) => {
    await judge?.(shadow);
    await git.ok(placeOf(tree), [...FETCH, shadow.gitDir, `+${SHADOW_BASE}:${BASE}`]);
  });
}

/** The shadow, but what is written goes to the user's objects: commits for his refs. */
export function storePlace(shadow: Shadow): Place {
  return { ...shadow.place, objectDir: shadow.userObjects };
}

/** Brings a commit and what it needs from the private directory to the user's objects; no ref changes. */
export async function deliver(git: RunGit, shadow: Shadow, tree: JobTree, commit: string): Promise<void> {
  await git.ok(storePlace(shadow), [...FETCH, tree.gitDir, commit]);
}

/** Where a move of the user's checkout is journaled. */
export function journalOf(tree: Pick<JobTree, 'gitDir'>): string {
  return join(tree.gitDir, 'move.json');
}
