/** Computes the git paths of a job, in the layout of seed 001: `<job>/work/<timestamp>` is the clone. */
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { CommitAuthor, JobRow } from '../../../shared/job/rows.ts';
import type { CloneState, JobTree } from '../gitPorts.ts';

/** The repository that a job works on: the workspace's, unless its project has another one. */
export const repositoryOf = (job: JobRow, workspaceDir: string): string => job.repository ?? workspaceDir;

export function jobTree(workspaceDir: string, job: JobRow): JobTree {
  if (job.clone_dir === null) throw failure('CLONE_MISSING', `job ${job.id} has no clone yet`);
  const projectDir = repositoryOf(job, workspaceDir);
  return { projectDir, workTree: job.clone_dir, gitDir: path.join(job.job_dir, 'git'), branch: job.branch };
}

/** Tip of the commits that count. */
export function jobHead(job: JobRow): string {
  if (job.head === null) throw failure('CLONE_MISSING', `job ${job.id} has no clone yet`);
  return job.head;
}

/** The author of the job's commits. */
export const authorOf = ({ options }: JobRow): CommitAuthor => options.commitAuthor ?? 'user';

export function cloneState(job: JobRow, signal: AbortSignal): CloneState {
  const head = jobHead(job);
  return { head, baseline: job.baseline ?? head, baseBranch: job.base_branch, snapshot: job.snapshot, signal };
}
