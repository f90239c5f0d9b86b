/** The message of the commit that a feature is accepted by. */
import { commitMessage } from '../../../core/job/result/commitMessage.ts';
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { JobContext } from '../context.ts';
import { jobHead, jobTree } from '../tree/tree.ts';

/** `summary` is the worker's report. */
export async function messageFor(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  summary: string | null,
): Promise<string> {
  const tree = jobTree(context.projectDir, job);
  const origin = await context.git.origin(tree, job.baseline ?? jobHead(job), job.snapshot);
  return commitMessage(job, feature, summary, await context.git.commitStyle(tree, origin));
}
