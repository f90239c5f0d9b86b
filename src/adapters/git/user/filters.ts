/**
 * Detects filters that the user's git would run on files of a commit, e.g. of Git LFS. These are the user's programs
 * and never run here.
 */
import { splitZ } from '../names.ts';
import type { RunGit } from '../runGit.ts';
import type { ScratchRepository, UserRepository } from './sides.ts';

/** Why a checkout with filtered files is not moved. */
export const FILTERED =
  'files here go through filters of your git (filter= in .gitattributes), which are never run: take the result as a branch and merge it yourself';

/** The files of a commit, listed once for all checks. */
export interface CommitListing {
  /** Lines of `git ls-tree -r`. */
  readonly entries: readonly string[];
  /** Texts of all its `.gitattributes` files. */
  readonly attributes: string;
}

/** Lists a commit. `git` reads it in the scratch repository. */
export async function listCommit(
  git: RunGit,
  scratch: Pick<ScratchRepository, 'place'>,
  commit: string,
): Promise<CommitListing> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit];
  const entries = splitZ(await git.ok(scratch.place, args));
  const files = entries.filter((line) => /(?:^|\/)\.gitattributes$/i.test(line.slice(line.indexOf('\t') + 1)));
  const input = files.map((line) => `${line.split(/[ \t]/)[2]}\n`).join('');
  const attributes = input === '' ? '' : await git.ok(scratch.place, ['cat-file', '--batch'], { input });
  return { entries, attributes };
}

/** Whether a filter may apply to files of this commit: only the user moves such a checkout. */
export function usesFilters(repository: UserRepository, { attributes }: CommitListing): boolean {
  return /(?:^|\s)filter\s*=/m.test(`${attributes}\n${repository.attributes}`);
}
