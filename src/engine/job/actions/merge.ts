/** Ends a job: puts the approved commit where the user wants it, or reports why that is impossible. */
import path from 'node:path';
import type { About } from '../../../core/approval/about.ts';
import { takenFailure, takenText } from '../../../core/job/gate/acceptResult.ts';
import { titled } from '../../../core/job/result/fixTitle.ts';
import { jobPhases, need } from '../../../core/state/rows.ts';
import type { JobRow, MergeMode } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { question } from '../../approval/questions.ts';
import { type JobContext, oneId, say } from '../context.ts';
import type { MergeRequest } from '../gitPorts.ts';
import { onBase } from '../result/reviewDiffs.ts';
import { ensureTree } from '../tree/checkpoints.ts';
import { authorOf, jobHead, jobTree } from '../tree/tree.ts';

/** Commits of a moved base that are named. */
const MAX_SUBJECTS = 5;

export function mergeRequest(
  context: Pick<JobContext, 'projectDir'> & { readonly store: Pick<JobContext['store'], 'state'> },
  job: JobRow,
  mode: MergeMode,
  commit: string,
): MergeRequest {
  return {
    tree: jobTree(context.projectDir, job),
    mode,
    commit,
    baseBranch: job.base_branch,
    patchFile: path.join(job.job_dir, `${job.id}.patch`),
    message: mergeMessage(context.store.state, job),
    patchNote: patchNote(context.store.state, job),
    author: authorOf(job),
  };
}

/** The commit message of a failing result that was merged anyway states the failure. */
function mergeMessage(state: State, job: JobRow): string {
  const taken = takenFailure(state, job);
  const failing = taken === null ? [] : [takenText(taken)];
  return `${[`Merge ${job.branch}: ${job.title}`, ...failing, `Autonomous-Job: ${job.id}`].join('\n\n')}\n`;
}

/**
 * The same for a patch. `git apply` skips such lines. A result branch cannot have it: its last commit is the one that was verified and
 * approved, and another message would make another commit.
 */
function patchNote(state: State, job: JobRow): string {
  const taken = takenFailure(state, job);
  return taken === null ? '' : `# ${takenText(taken).replaceAll(/\s+/g, ' ')}\n`;
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
  if (context.signal.aborted) return;
  // The merge was already started if an owner was killed at this point.
  if (!job.merging) await context.store.commit({ type: 'merge_begun', job_id: job.id, commit: head, mode });
  say(context, mode === 'patch' ? 'writing the patch' : `merging into ${job.base_branch ?? job.branch}`);
  const result = await context.git.integrate(request);
  switch (result.outcome) {
    case 'done':
      await context.store.commit({ type: 'job_completed', job_id: job.id, merge: result.merge });
      return;
    case 'moved':
      return takeInBase(context, job);
    case 'refused': {
      await context.store.commit({ type: 'merge_ended', job_id: job.id, reason: result.reason });
      const about: About = { of: 'mergeRefused', head, id: await oneId(context, 'approvals') };
      return askConflict(context, job, `The merge was refused: ${result.reason}`, '', about);
    }
  }
}

/** The base moved: it is merged in the clone, never in the user's tree; the new head is verified before anything else. */
async function takeInBase(context: JobContext, job: JobRow): Promise<void> {
  say(context, 'the base branch moved: merging it in the clone');
  const tree = jobTree(context.projectDir, job);
  await ensureTree(context, jobHead(job));
  const message = `Merge ${job.base_branch ?? 'the base'} into ${job.branch}\n\nAutonomous-Job: ${job.id}\n`;
  const merged = await context.git.mergeBase(tree, { head: jobHead(job), baseBranch: job.base_branch, message });
  context.memory.lastCheckpoint = null;
  if (merged.outcome === 'clean') {
    const { base, head } = merged;
    const started = jobPhases(context.store.state, job.id).flatMap(({ id, base_commit }) =>
      base_commit === null ? [] : [{ phase_id: id, base_commit }],
    );
    const phases = await Promise.all(
      started.map(async ({ phase_id, base_commit }) => ({
        phase_id,
        base_commit: await onBase(context.git, tree, base, base_commit),
      })),
    );
    const gained = await context.git.gainedCommits(tree, { from: job.baseline ?? base, to: base, max: MAX_SUBJECTS });
    await context.store.commit({ type: 'base_merged', job_id: job.id, baseline: base, head, gained, phases });
    return;
  }
  const both = `Ours: ${job.branch} at ${merged.ours}\nTheirs: ${job.base_branch ?? 'HEAD'} at ${merged.base}\nConflicting paths:\n${merged.paths.join('\n')}`;
  await context.store.commit({ type: 'merge_ended', job_id: job.id, reason: 'conflict' });
  const about: About = { of: 'conflict', base: merged.base, ours: merged.ours };
  return askConflict(context, job, 'The base branch changed the same places. How should this end?', both, about);
}

/** Describes the effect of each choice. A conflict often needs an action outside the engine. */
function waysOut({ branch, base_branch }: JobRow, about: About): string {
  const base = base_branch ?? 'the base branch';
  const retry =
    about.of === 'conflict'
      ? `merges again, and meets the same conflict while these places of ${base} stay as they are`
      : 'merges again; fix the conflict first';
  return [
    `retry: ${retry}.`,
    `branch: the result becomes the branch ${branch} of your repository, to merge by hand.`,
    'patch: the result becomes a patch file, to apply by hand.',
  ].join('\n');
}

async function askConflict(
  context: JobContext,
  job: JobRow,
  asks: string,
  detail: string,
  about: About,
): Promise<void> {
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'conflict',
    about,
    question: asks,
    detail: [detail, waysOut(job, about)].filter((part) => part !== '').join('\n'),
    commit: job.head,
    choices: ['retry', 'branch', 'patch'],
  });
  await context.store.commit({ type: 'approval_requested', approval });
}

export async function refuseMerge(context: JobContext, feedback: string): Promise<void> {
  const fix_feature_id = await oneId(context, 'features');
  await context.store.commit({
    type: 'merge_refused',
    job_id: context.jobId,
    feedback,
    fix_feature_id,
    ...titled(feedback),
  });
}
