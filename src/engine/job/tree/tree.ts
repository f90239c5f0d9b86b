/** Computes the git paths of a job, in the layout of seed 001: `<job>/work/<timestamp>` is the clone. */
import path from 'node:path';
import { openAttempt } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { CommitAuthor, JobRow } from '../../../shared/job/rows.ts';
import type { JobContext } from '../context.ts';
import type { CloneState, JobTree } from '../gitPorts.ts';

/** The repository that a job works on: the workspace's, unless its project has another one. */
export const repositoryOf = (job: JobRow, workspaceDir: string): string => job.repository ?? workspaceDir;

/** Lane 0 is the clone. Every other lane has a work tree beside it. */
export function jobTree(workspaceDir: string, job: JobRow, lane = 0): JobTree {
  if (job.clone_dir === null) throw failure('CLONE_MISSING', `job ${job.id} has no clone yet`);
  const projectDir = repositoryOf(job, workspaceDir);
  const gitDir = path.join(job.job_dir, 'git');
  const tree = { projectDir, workTree: job.clone_dir, gitDir, branch: job.branch };
  if (lane === 0) return tree;
  return { ...tree, workTree: `${job.clone_dir}-${lane + 1}`, ownDir: path.join(gitDir, 'lanes', String(lane + 1)) };
}

/** The tree of the context's lane. */
export const treeOf = ({ projectDir, lane }: Pick<JobContext, 'projectDir' | 'lane'>, job: JobRow): JobTree =>
  jobTree(projectDir, job, lane);

/** The commit that the work of a lane is based on: that of its open attempt, or the last one that counts. */
export function laneHead({ store, lane }: Pick<JobContext, 'store' | 'lane'>, job: JobRow): string {
  const open = openAttempt(store.state, job.id, lane);
  return open === undefined || open.feature_id === null ? jobHead(job) : open.base_commit;
}

/** Tip of the commits that count. */
export function jobHead(job: JobRow): string {
  if (job.head === null) throw failure('CLONE_MISSING', `job ${job.id} has no clone yet`);
  return job.head;
}

/** The author of the job's commits. */
export const authorOf = ({ options }: JobRow): CommitAuthor => options.commitAuthor ?? 'user';

export function cloneState(job: JobRow, signal: AbortSignal, head = jobHead(job)): CloneState {
  return { head, baseline: job.baseline ?? head, baseBranch: job.base_branch, snapshot: job.snapshot, signal };
}
