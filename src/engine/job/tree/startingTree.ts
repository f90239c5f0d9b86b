/** Computes the tree with which an attempt at a feature starts. Work of an earlier attempt is never dropped without a notice. */
import { isSideBySide } from '../../../core/agent/executors.ts';
import { featureAttempts } from '../../../core/state/rows.ts';
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { JobContext } from '../context.ts';
import { shownDiff } from '../result/reviewDiffs.ts';
import { jobTree } from './tree.ts';

export interface StartingTree {
  /** The last accepted commit. */
  readonly accepted: string;
  /** The commit to check out. */
  readonly commit: string;
  /**
   * Number of the attempt whose work is in the tree beyond the accepted commit, or would be without conflicts. Null if there is
   * none.
   */
  readonly from: number | null;
  /** Paths that the tree holds beyond the accepted commit. */
  readonly changed: readonly string[];
  /** Paths in which that work conflicts with work that was accepted since: the tree is the accepted commit. */
  readonly conflicts: readonly string[];
  /** Stashes in the clone: their content is in no tree. */
  readonly stashes: number;
}

/** `lane`: 0 if absent. */
type Ports = Pick<JobContext, 'git' | 'projectDir' | 'store'> & { readonly lane?: number };

/** `before`: the number of the attempt that starts; `accepted`: the last commit that counts at that moment. */
export async function startingTree(
  { git, projectDir, store, lane = 0 }: Ports,
  job: JobRow,
  feature: FeatureRow,
  before: number,
  accepted: string,
): Promise<StartingTree> {
  const stashes = await git.stashes(jobTree(projectDir, job, lane));
  const nothing: StartingTree = { accepted, commit: accepted, from: null, changed: [], conflicts: [], stashes };
  if (isSideBySide(feature)) return nothing;
  const last = featureAttempts(store.state, feature.id).findLast((row) => row.number < before);
  if (last === undefined || last.left === null || last.status === 'succeeded') return nothing;
  if (last.left === accepted || last.left === last.base_commit) return nothing;
  const tree = jobTree(projectDir, job);
  const carried = await git.carry(tree, { left: last.left, onto: accepted, base: last.base_commit });
  if ('conflicts' in carried) return { ...nothing, from: last.number, conflicts: carried.conflicts };
  if (carried.commit === accepted) return nothing;
  const changed = await git.changedPaths(tree, accepted, carried.commit);
  return { ...nothing, commit: carried.commit, from: last.number, changed };
}

/** Maximum size of a diff in an opening. */
const MAX_LEFT_BYTES = 12_000;

/** The tree's changes since the last accepted commit, for a worker that has not seen them. */
export async function leftDiff({ git, projectDir }: Ports, job: JobRow, tree: StartingTree): Promise<string> {
  if (tree.commit === tree.accepted) return '';
  return shownDiff(git, jobTree(projectDir, job), [tree.accepted, tree.commit], MAX_LEFT_BYTES);
}
