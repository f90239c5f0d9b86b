/** Examines a reported feature: commits it, runs the verify commands on it, and has it reviewed. */
import { blockedCommand } from '../../../core/job/environmentFault.ts';
import { endText } from '../../../core/job/missingTool.ts';
import { failedBefore, failsAsBefore } from '../../../core/job/result/baseline.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { TOO_LARGE_HINT, tooLargeText } from '../../../core/repository/tooLarge.ts';
import { featureAttempts, need, verifyCommandsOf } from '../../../core/state/rows.ts';
import { diffTotals } from '../../../core/text/diff/diffTotals.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { Report } from '../../../shared/job/plan.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import { question } from '../../approval/questions.ts';
import { reviewedChange, reviewFeature } from '../actions/reviewFeature.ts';
import { type JobContext, oneId } from '../context.ts';
import { messageFor } from '../result/featureMessage.ts';
import { checkpointTree } from '../tree/checkpoints.ts';
import { keepWork } from '../tree/keptWork.ts';
import { treeOf } from '../tree/tree.ts';
import { failureFeedback, gatherEvidence } from './evidence.ts';
import { askToUnblock } from './stopRules.ts';

/** Maximum size of a stored diff. A larger one is cut, with a line about it. */
const MAX_DIFF_BYTES = 2 * 1024 * 1024;

/** Larger files are not searched for conflict markers. */
const MAX_MARKED_BYTES = 4 * 1024 * 1024;

const NO_CHANGE =
  'You reported done, but no file changed. Do what the feature asks. If it holds already, report done again and say why in no_change_reason.';

type Ended = Extract<EventDraft, { type: 'attempt_ended' }>;

type Kept = Pick<Ended, 'diff' | 'changed' | 'kept' | 'left'>;

export type Result = Pick<Ended, 'status' | 'cause' | 'summary' | 'feedback' | 'commit' | 'evidence' | 'approval'> &
  /** The diff, if it was stored already. */
  Partial<Kept>;

/** Every attempt's whole diff is kept, that of a failed one too. */
export async function keepDiff(
  context: JobContext,
  job: JobRow,
  attempt: AttemptRow,
  commit: string | null,
): Promise<Kept> {
  const to = commit ?? (await checkpointTree(context));
  const kept = await keepWork(context, attempt, to);
  const tree = treeOf(context, job);
  const diff = to === attempt.base_commit ? '' : await context.git.diff(tree, attempt.base_commit, to, MAX_DIFF_BYTES);
  // Possible between two commits too: a checkpoint of an interrupted turn contains the effect of its commit.
  if (diff === '') return { diff: null, changed: null, kept, left: to };
  return { diff: await context.artifacts.put(diff), changed: diffTotals(diff), kept, left: to };
}

export function failed(
  cause: string,
  summary: string | null,
  feedback: string,
  evidence: readonly Evidence[],
  commit: string | null = null,
): Result {
  return { status: 'failed', cause, summary, feedback, commit, evidence, approval: null };
}

/**
 * A verify command that the steward did not permit does not count as evidence: no retry is used, and the steward is asked.
 */
async function askToVerify(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  report: Report,
  command: string,
): Promise<Result> {
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'stuck',
    // An approval of this question is one of the command.
    about: { of: 'command', command },
    question: `"${feature.name}" cannot be verified without running \`${command}\`. Run it after all?`,
    detail: report.summary,
    feature_id: feature.id,
    phase_id: feature.phase_id,
  });
  return {
    status: 'blocked',
    cause: 'verify_refused',
    summary: report.summary,
    feedback: null,
    commit: null,
    evidence: [],
    approval,
  };
}

/** Commits the work, runs the verify commands on it, and, when the job wants it, has it reviewed. */
export async function examine(
  context: JobContext,
  job: JobRow,
  attempt: AttemptRow,
  feature: FeatureRow,
  report: Report,
): Promise<Result | 'interrupted'> {
  const phase = need(context.store.state, 'phases', attempt.phase_id);
  const parent = attempt.base_commit;
  const message = await messageFor(context, job, feature, report.summary);
  // The tree after the session's last round, without later changes.
  const of = context.memory.lastCheckpoint;
  const commit = await context.git.commit(treeOf(context, job), { parent, message, of });
  const at = commit ?? parent;
  context.memory.lastCheckpoint = at;
  const large = tooLargeText(context.git.tooLarge(treeOf(context, job)));
  if (large !== null) {
    const feedback = `${large} ${TOO_LARGE_HINT}`;
    return {
      ...failed('too_large', report.summary, feedback, [], commit),
      ...(await keepDiff(context, job, attempt, at)),
    };
  }
  const marked = await leftMarkers(context, job, attempt, at);
  if (marked.length > 0) return failed('conflict_markers', report.summary, markersText(marked), [], commit);
  if (commit === null && !report.no_change_reason) return failed('done_without_change', report.summary, NO_CHANGE, []);
  const about = { commit: at, label: 'verify', network: 'none', featureId: feature.id } as const;
  const [evidence, kept, shown] = await Promise.all([
    gatherEvidence(context, verifyCommandsOf(feature, phase), about),
    keepDiff(context, job, attempt, at),
    job.options.reviewEachFeature ? reviewedChange(context, job, attempt.base_commit, at) : null,
  ]);
  if (context.signal.aborted) return 'interrupted';
  const refused = evidence.find((one) => one.ended === 'refused');
  if (refused !== undefined) return askToVerify(context, job, feature, report, refused.command);
  const failing = evidence.find((one) => !hasPassed(one));
  const lacking = failing === undefined ? null : blockedCommand(failing);
  if (failing !== undefined && lacking !== null) {
    const approval = await askToUnblock(context, job, feature, failing.command, lacking);
    // No retry is used, and the next attempt continues from this work.
    return {
      status: 'blocked',
      cause: lacking.by,
      summary: report.summary,
      feedback: null,
      commit,
      evidence,
      approval,
      ...kept,
    };
  }
  const failure = failureFeedback(evidence);
  const wrong = failure === null ? null : `${failure}${beforeText(job, failing)}`;
  if (wrong !== null) return { ...failed('verify_failed', report.summary, wrong, evidence, commit), ...kept };
  if (shown !== null) {
    const review = await reviewFeature(context, job, phase, feature, { ...shown, evidence, report: report.summary });
    if (review === 'interrupted') return 'interrupted';
    if (review !== null) return { ...failed('review_rejected', report.summary, review, evidence, commit), ...kept };
  }
  const cause = commit === null ? 'done_without_change' : 'done';
  const summary = commit === null ? withReason(report) : report.summary;
  const done = { status: 'succeeded', cause, summary, feedback: null, approval: null } as const;
  return { ...done, commit: at, evidence, ...kept };
}

/** Conflicting files of returns that still have markers. An attempt starts from what an earlier one left, markers included. */
async function leftMarkers(
  context: JobContext,
  job: JobRow,
  { feature_id }: AttemptRow,
  commit: string,
): Promise<readonly string[]> {
  const attempts = feature_id === null ? [] : featureAttempts(context.store.state, feature_id);
  const conflicts = new Set(attempts.flatMap(({ returns }) => returns.flatMap(({ paths }) => paths)));
  const marked: string[] = [];
  for (const path of conflicts) {
    const text = await context.git.textAt(treeOf(context, job), commit, path, MAX_MARKED_BYTES);
    if (text !== null && /^<{7} /m.test(text) && /^>{7} /m.test(text)) marked.push(path);
  }
  return marked;
}

const markersText = (paths: readonly string[]): string =>
  `You reported done, but conflict markers are left in ${paths.join(', ')}. Resolve them, and keep the effect of both sides.`;

/** Whether the command failed before any work too, as the end of a feedback. */
function beforeText(job: JobRow, failing: Evidence | undefined): string {
  const before = failing === undefined ? undefined : failedBefore(job, failing.command);
  if (failing === undefined || before === undefined) return '';
  const how = failsAsBefore(job, failing) ? 'in the same way' : `otherwise (${endText(before)})`;
  return `\n\nThe same command failed before any work too, ${how}. If your feature cannot fix it, report blocked and name it.`;
}

/** The summary with the worker's reason, which is a claim as the rest of it is. */
function withReason({ summary, no_change_reason }: Report): string {
  return `${summary}\n\nNo change was needed: ${no_change_reason}`;
}
