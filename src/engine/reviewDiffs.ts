/** Diffs for models: short, bounded, and what is missing of one is named. */
import type { ReviewerOpening } from '../agent/prompts/reviewer.ts';
import { cutDiff, isCut, withMissing } from '../core/cutDiff.ts';
import type { EarlierReview } from '../core/phaseRecord.ts';
import { shortDiff } from '../core/shownDiff.ts';
import type { GitPort, JobTree } from './ports.ts';

type Git = Pick<GitPort, 'diff' | 'diffStat' | 'changedPaths'>;

/** Bytes of the diff that is shortened. */
const READ_BYTES = 4 * 1024 * 1024;
/** Bytes of the changes since the review before. */
const SINCE_DIFF_BYTES = 48 * 1024;

export async function shownDiff(
  git: Git,
  tree: JobTree,
  [from, to]: readonly [from: string, to: string],
  maxBytes: number,
): Promise<string> {
  const diff = cutDiff(shortDiff(await git.diff(tree, from, to, READ_BYTES)), maxBytes);
  return isCut(diff) ? withMissing(diff, await git.changedPaths(tree, from, to)) : diff;
}

/** The review before, with the changes from the commit that it judged to the one that is judged now. */
export async function sinceReview(
  git: Git,
  tree: JobTree,
  review: EarlierReview | null,
  now: string,
): Promise<ReviewerOpening['before']> {
  if (review === null) return null;
  if (review.commit === now) return { ...review, diff: '', diffStat: '' };
  const [diff, diffStat] = await Promise.all([
    shownDiff(git, tree, [review.commit, now], SINCE_DIFF_BYTES),
    git.diffStat(tree, review.commit, now),
  ]);
  return { ...review, diff, diffStat };
}
