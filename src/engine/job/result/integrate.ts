/**
 * Merges an accepted attempt into the job's branch: on top of its tip, verified there, as one commit. If that is impossible, the attempt
 * returns to its conversation. The job's loop runs one of these at a time.
 */
import { blockedCommand } from '../../../core/job/environmentFault.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { answersOf, featureAttempts, jobFeatures, need, verifyCommandsOf } from '../../../core/state/rows.ts';
import { cutText } from '../../../core/text/cutText.ts';
import { failure } from '../../../shared/errors.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { AttemptReturn, AttemptRow, FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import { dropConversation } from '../actions/attempt.ts';
import { type JobContext, say } from '../context.ts';
import { advance } from '../tree/branch.ts';
import { freshEvidence } from '../tree/freshTree.ts';
import { jobHead, treeOf } from '../tree/tree.ts';
import { askToRun, failureFeedback } from '../work/evidence.ts';
import { messageFor } from './featureMessage.ts';

/** Size of the other side's change that a conversation is given. */
const MAX_DETAIL_BYTES = 12_000;
/** Characters of another feature's report. */
const MAX_REPORT = 600;
/** Conflicting paths whose change is shown. */
const MAX_SHOWN_PATHS = 40;

export async function integrateAttempt(context: JobContext, attempt: AttemptRow): Promise<void> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const feature = need(state, 'features', attempt.feature_id ?? 0);
  const tip = jobHead(job);
  const work = attempt.commit ?? attempt.base_commit;
  say(context, `merging "${feature.name}" into the job's branch`, { featureId: feature.id });
  const carried = await context.git.carry(treeOf(context, job), {
    left: work,
    onto: tip,
    base: attempt.base_commit,
    message: await messageFor(context, job, feature, attempt.summary),
  });
  if ('conflicts' in carried) {
    const detail = await otherSide(context, job, feature, { attempt, tip, paths: carried.conflicts });
    return sendBack(context, attempt, {
      cause: 'conflict',
      onto: tip,
      start: carried.marked,
      paths: carried.conflicts,
      detail,
    });
  }
  const { commit, isSame } = carried;
  const evidence = isSame ? attempt.evidence : await verified(context, feature, attempt, commit);
  if (evidence === null || context.signal.aborted) return;
  const wrong = failureFeedback(evidence);
  if (wrong !== null) {
    const others = await otherSide(context, job, feature, { attempt, tip, paths: [] });
    const detail = `${wrong}\n\n${others}`;
    return sendBack(context, attempt, { cause: 'verify_failed', onto: tip, start: commit, paths: [], detail });
  }
  await context.onBranch(async () => {
    // The feature was set by hand, or the branch moved: what was verified is not what would be merged.
    if (!isStillDue(context, attempt, tip)) return;
    await advance(context, job, tip, commit);
    await complete(context, job, attempt, commit, evidence);
  });
  if (context.store.state.attempts.get(attempt.id)?.status === 'abandoned') await dropConversation(context);
}

function isStillDue({ store, jobId }: JobContext, { id }: AttemptRow, tip: string): boolean {
  return store.state.attempts.get(id)?.status === 'queued' && need(store.state, 'jobs', jobId).head === tip;
}

/** Runs the commands on the merge. Null if the steward must answer a question first. Throws what keeps a command from running. */
async function verified(
  context: JobContext,
  feature: FeatureRow,
  attempt: AttemptRow,
  commit: string,
): Promise<readonly Evidence[] | null> {
  const phase = need(context.store.state, 'phases', attempt.phase_id);
  const evidence = await freshEvidence(context, verifyCommandsOf(feature, phase), {
    commit,
    label: 'verify the merge',
  });
  if (evidence === null || context.signal.aborted) return null;
  if (await askToRun(context, evidence, phase)) return null;
  const failing = evidence.find((one) => !hasPassed(one));
  const lacking = failing === undefined ? null : blockedCommand(failing);
  if (failing === undefined || lacking === null) return evidence;
  throw failure('COMMAND_FAILED', `\`${failing.command}\` could not verify the merge: ${lacking.line}`, {
    hint: 'Make the host, tool or service available, then approve.',
  });
}

type Return = Pick<AttemptReturn, 'cause' | 'onto' | 'paths' | 'detail'> & { readonly start: string };

async function sendBack(context: JobContext, attempt: AttemptRow, back: Return): Promise<void> {
  if (!isStillDue(context, attempt, back.onto)) return;
  await context.store.commit({ type: 'attempt_returned', id: attempt.id, job_id: attempt.job_id, ...back });
}

/** What was merged since the attempt began, in its workers' words, by file, and as a diff: only of `paths`, if there are any. */
async function otherSide(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  { attempt, tip, paths }: { readonly attempt: AttemptRow; readonly tip: string; readonly paths: readonly string[] },
): Promise<string> {
  const tree = treeOf(context, job);
  const since = jobFeatures(context.store.state, job.id).filter(
    (row) =>
      row.id !== feature.id &&
      row.completed_at !== null &&
      row.completed_at > (attempt.returns.at(-1)?.at ?? attempt.started_at),
  );
  const reports = since.map((row) => `- feature ${row.id}: ${row.name}${reportOf(context, row)}`);
  const merged =
    reports.length === 0
      ? ''
      : `Merged since your work began, with the reports of their workers:\n${reports.join('\n')}`;
  const [from, to] = [attempt.base_commit, tip];
  const [stat, change] = await Promise.all([
    context.git.diffStat(tree, from, to),
    context.git.diff(tree, from, to, MAX_DETAIL_BYTES, paths.slice(0, MAX_SHOWN_PATHS)),
  ]);
  return [merged, stat, change].filter((part) => part !== '').join('\n\n');
}

function reportOf({ store }: JobContext, feature: FeatureRow): string {
  const done = featureAttempts(store.state, feature.id).findLast(({ status }) => status === 'succeeded');
  const report = (done?.summary ?? '').trim().replaceAll(/\s+/g, ' ');
  return report === '' ? '' : `\n  ${cutText(report, MAX_REPORT, 'characters of the report')}`;
}

async function complete(
  context: JobContext,
  job: JobRow,
  attempt: AttemptRow,
  commit: string,
  evidence: readonly Evidence[],
): Promise<void> {
  const { conversation } = context.memory;
  const goesOn = conversation?.sessionId === attempt.session_id && conversation.taken < job.options.batch;
  const { id, job_id, cause, summary, diff, changed, kept, left } = attempt;
  await context.store.commit({
    type: 'attempt_ended',
    id,
    job_id,
    status: 'succeeded',
    cause: cause ?? 'done',
    summary,
    feedback: null,
    verdict: null,
    commit,
    evidence,
    diff,
    changed,
    kept,
    left,
    approval: null,
    session: goesOn
      ? null
      : {
          id: attempt.session_id,
          status: 'completed',
          error_message: null,
          // A session of an earlier process has no conversation.
          turns: conversation?.turns ?? answersOf(context.store.state, attempt.session_id),
        },
  });
  if (!goesOn) await dropConversation(context);
}
