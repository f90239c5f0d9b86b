/** Makes diffs for models: short, bounded, with a note about omitted parts. */

import type { EarlierReview } from '../../../core/job/history/phaseRecord.ts';
import { cutDiff, isCut, withMissing } from '../../../core/text/diff/cutDiff.ts';
import { shortDiff } from '../../../core/text/diff/shownDiff.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { ReviewerOpening } from '../../session/prompts/reviewer.ts';
import type { GitPort, JobTree } from '../gitPorts.ts';

type Git = Pick<GitPort, 'diff' | 'diffStat' | 'changedPaths'>;
type Compared = Pick<JobRow, 'baseline' | 'base_merges'>;

/**
 * The commit to compare with in place of `from`, so that commits of the base branch that were merged later do not count as work of the
 * job. If they conflict with `from`, it is the base itself: the difference then shows all work of the job.
 */
async function fromMovedBase(git: Pick<GitPort, 'carry'>, tree: JobTree, job: Compared, from: string): Promise<string> {
  const { baseline, base_merges } = job;
  if (baseline === null || base_merges.length === 0) return from;
  return onBase(git, tree, baseline, from);
}

/** See `fromMovedBase`. */
export async function onBase(git: Pick<GitPort, 'carry'>, tree: JobTree, base: string, from: string): Promise<string> {
  const carried = await git.carry(tree, { left: from, onto: base, base: from });
  return 'commit' in carried ? carried.commit : base;
}

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

/** The earlier review, with the changes from its commit to the current one. */
export async function sinceReview(
  git: Git & Pick<GitPort, 'carry'>,
  tree: JobTree,
  job: Compared,
  review: EarlierReview | null,
  now: string,
): Promise<ReviewerOpening['before']> {
  if (review === null) return null;
  if (review.commit === now) return { ...review, diff: '', diffStat: '' };
  const from = await fromMovedBase(git, tree, job, review.commit);
  const [diff, diffStat] = await Promise.all([
    shownDiff(git, tree, [from, now], SINCE_DIFF_BYTES),
    git.diffStat(tree, from, now),
  ]);
  return { ...review, diff, diffStat };
}
