/** The end of a job: the approved commit goes where the user wants it, or the job says why it cannot. */
import path from 'node:path';
import { executablePaths, type FileTexts } from '../../core/executablePaths.ts';
import { jobPhases, need } from '../../core/rows.ts';
import type { JobRow, MergeMode } from '../../shared/domain.ts';
import { ensureTree } from '../checkpoints.ts';
import { failureFeedback, gatherEvidence } from '../commands.ts';
import { type JobContext, oneId, say } from '../context.ts';
import type { MergeRequest } from '../ports.ts';
import { question } from '../questions.ts';
import { jobHead, jobTree } from '../tree.ts';

const MAX_MANIFEST_BYTES = 1024 * 1024;

function mergeRequest(context: JobContext, job: JobRow, mode: MergeMode, commit: string): MergeRequest {
  return {
    tree: jobTree(context.projectDir, job),
    mode,
    commit,
    baseBranch: job.base_branch,
    patchFile: path.join(job.job_dir, `${job.id}.patch`),
    message: `Merge ${job.branch}: ${job.title}\n\nJob ${job.id}.\n`,
  };
}

export async function mergeJob(context: JobContext, mode: MergeMode, head: string): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const request = mergeRequest(context, job, mode, head);
  // A crash in the middle of a merge: the refs are the truth, the event follows them.
  const done = await context.git.findMerge(request);
  if (done !== null) {
    await context.store.commit({ type: 'job_completed', job_id: job.id, merge: done });
    return;
  }
  say(context, mode === 'patch' ? 'writing the patch' : `merging into ${job.base_branch ?? job.branch}`);
  const result = await context.git.integrate(request);
  switch (result.outcome) {
    case 'done':
      await context.store.commit({ type: 'job_completed', job_id: job.id, merge: result.merge });
      return;
    case 'moved':
      return takeInBase(context, job);
    case 'refused':
      return askConflict(
        context,
        job,
        `The merge was refused: ${result.reason}`,
        '',
        `refused:${head}:${await oneId(context, 'approvals')}`,
      );
  }
}

/** The base moved: it is merged in the clone, never in the user's tree, and everything is verified again. */
async function takeInBase(context: JobContext, job: JobRow): Promise<void> {
  say(context, 'the base branch moved: merging it in the clone');
  const tree = jobTree(context.projectDir, job);
  await ensureTree(context, jobHead(job));
  const message = `Merge ${job.base_branch ?? 'the base'} into ${job.branch}\n\nJob ${job.id}.\n`;
  const merged = await context.git.mergeBase(tree, { head: jobHead(job), baseBranch: job.base_branch, message });
  context.memory.lastCheckpoint = null;
  if (merged.outcome === 'conflict') {
    const both = `Ours: ${job.branch} at ${merged.ours}\nTheirs: ${job.base_branch ?? 'HEAD'} at ${merged.base}\nConflicting paths:\n${merged.paths.join('\n')}`;
    return askConflict(
      context,
      job,
      'The base branch changed the same places. How should this end?',
      both,
      `conflict:${merged.base}:${merged.ours}`,
    );
  }
  await ensureTree(context, merged.head);
  const commands = [...new Set(jobPhases(context.store.state, job.id).flatMap((phase) => phase.verify_commands))];
  const evidence = await gatherEvidence(context, commands, {
    commit: merged.head,
    label: 'verify after merge',
    network: 'none',
  });
  if (context.signal.aborted) return;
  await context.store.commit({ type: 'base_merged', job_id: job.id, baseline: merged.base, head: merged.head });
  const wrong = failureFeedback(evidence);
  if (wrong !== null) await refuseMerge(context, `After the base branch was merged in, it no longer works. ${wrong}`);
}

async function askConflict(
  context: JobContext,
  job: JobRow,
  asks: string,
  detail: string,
  subject: string,
): Promise<void> {
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'conflict',
    subject,
    question: asks,
    detail,
    commit: job.head,
    choices: ['retry', 'branch', 'patch'],
  });
  await context.store.commit({ type: 'approval_requested', approval });
}

export async function refuseMerge(context: JobContext, feedback: string): Promise<void> {
  const fix_feature_id = await oneId(context, 'features');
  await context.store.commit({ type: 'merge_refused', job_id: context.jobId, feedback, fix_feature_id });
}

/** What the merge gate shows: the change, and first of all what would execute on the user's machine. */
export async function mergeQuestion(
  context: JobContext,
  job: JobRow,
): Promise<{ detail: string; executables: readonly string[] }> {
  const tree = jobTree(context.projectDir, job);
  const from = job.baseline ?? jobHead(job);
  const paths = await context.git.changedPaths(tree, from, jobHead(job));
  const texts = new Map<string, FileTexts>();
  for (const file of paths.filter((one) => path.posix.basename(one) === 'package.json')) {
    const [before, after] = [
      await context.git.textAt(tree, from, file, MAX_MANIFEST_BYTES),
      await context.git.textAt(tree, jobHead(job), file, MAX_MANIFEST_BYTES),
    ];
    texts.set(file, { before, after });
  }
  const executables = executablePaths(paths, (file) => texts.get(file)).map((flagged) => flagged.path);
  return { detail: await context.git.diffStat(tree, from, jobHead(job)), executables };
}
