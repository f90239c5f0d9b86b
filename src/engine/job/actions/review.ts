/**
 * Runs the review of a phase: a reviewer sees the diff and the evidence that the engine made, and answers with a typed verdict.
 */

import { executorFor } from '../../../core/agent/executors.ts';
import { earlierReview, phaseRecord } from '../../../core/job/history/phaseRecord.ts';
import { heldBecause } from '../../../core/job/nextAction.ts';
import { failsAsBefore } from '../../../core/job/result/baseline.ts';
import { titled } from '../../../core/job/result/fixTitle.ts';
import { differenceText } from '../../../core/job/result/freshCheck.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { ignoredText } from '../../../core/repository/ignoredChanges.ts';
import { need, phaseFeatures, phaseReviews } from '../../../core/state/rows.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { Verdict } from '../../../shared/job/plan.ts';
import type { AttemptRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { SessionResult, SessionSpec } from '../../session/ports.ts';
import { reviewerOpening } from '../../session/prompts/reviewer.ts';
import { type JobContext, oneId } from '../context.ts';
import type { FactsPorts } from '../jobFacts.ts';
import { shownDiff, sinceReview } from '../result/reviewDiffs.ts';
import { limitsNow, sharedSpec } from '../roleSpec.ts';
import { ensureTree } from '../tree/checkpoints.ts';
import { freshEvidence } from '../tree/freshTree.ts';
import { jobHead, jobTree } from '../tree/tree.ts';
import { askToRun } from '../work/commands.ts';
import { openAgentSession, sessionEnd, sessionFor, waitOrAskSteward } from '../work/sessions.ts';
import { sameVerdict } from '../work/stopRules.ts';
import { closeConversation } from './attempt.ts';

/** Bytes of the diff that a reviewer is shown. It reads the rest with its tools. */
const REVIEW_DIFF_BYTES = 96 * 1024;

/** Starts the review, or resumes the open one. */
export async function reviewPhase(context: JobContext, phase: PhaseRow, open: AttemptRow | null): Promise<void> {
  await closeConversation(context);
  const job = need(context.store.state, 'jobs', context.jobId);
  await ensureTree(context, jobHead(job));
  const about = { commit: jobHead(job), label: 'verify' };
  const evidence =
    evidenceAt(context.store.state, phase, about.commit) ??
    (await freshEvidence(context, phase.verify_commands, about));
  if (context.signal.aborted || evidence === null) return;
  if (await askToRun(context, evidence, phase)) return;
  const spec = await reviewerAssignment(context, phase, evidence);
  const sessionId = open?.session_id ?? (await sessionFor(context, job, 'reviewer', { phaseId: phase.id }));
  const attemptId = open?.id ?? (await oneId(context, 'attempts'));
  if (open === null) {
    await context.store.commit({
      type: 'attempt_started',
      id: attemptId,
      job_id: job.id,
      phase_id: phase.id,
      feature_id: null,
      session_id: sessionId,
      base_commit: jobHead(job),
      notes: [],
    });
  } else if (open.status === 'interrupted') {
    await context.store.commit({ type: 'attempt_resumed', id: open.id, job_id: job.id });
  }
  const { agent, close } = await openAgentSession(context, job, sessionId, spec);
  try {
    await concludeReview(context, phase, attemptId, sessionId, await agent.run(), evidence);
  } finally {
    await close();
  }
}

/** Evidence of the verify commands in a fresh checkout of this very commit; null if they did not all pass there. */
export function evidenceAt(state: State, phase: PhaseRow, commit: string): readonly Evidence[] | null {
  if (phase.verify_commands.length === 0) return [];
  const isOfCommit = (one: Evidence): boolean => one.fresh !== undefined && one.commit === commit && hasPassed(one);
  const known = phaseReviews(state, phase.id).findLast(
    (row) => row.evidence.length > 0 && row.evidence.every(isOfCommit),
  );
  const same = known?.evidence.map((one) => one.command).join('\n') === phase.verify_commands.join('\n');
  return known !== undefined && same ? known.evidence : null;
}

/** The reviewer's first request: the same for the session and for the preview. `evidence` is null in a preview before the commands ran. */
export async function reviewerAssignment(
  context: Pick<JobContext, 'clock' | 'jobId' | 'store'> & FactsPorts,
  phase: PhaseRow,
  evidence: readonly Evidence[] | null,
): Promise<SessionSpec> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const tree = jobTree(context.projectDir, job);
  const from = phase.base_commit ?? jobHead(job);
  const features = phaseFeatures(state, phase.id);
  const [ignored, diff, diffStat] = await Promise.all([
    context.git.ignoredChanges(tree),
    shownDiff(context.git, tree, [from, jobHead(job)], REVIEW_DIFF_BYTES),
    context.git.diffStat(tree, from, jobHead(job)),
  ]);
  const record = phaseRecord(state, job, phase);
  const executor = executorFor(job, 'reviewer');
  const opening = reviewerOpening({
    phase,
    record,
    before: await sinceReview(context.git, tree, job, earlierReview(state, phase), jobHead(job)),
    features,
    evidence,
    diff,
    diffStat,
    ignored: ignoredText(ignored),
    held: features
      .filter((row) => row.status === 'pending')
      .map((row) => ({ name: row.name, reason: heldBecause(state, row) ?? 'not started' })),
    attempt: phaseReviews(state, phase.id).filter((row) => row.verdict !== null).length + 1,
    limits: limitsNow(context, state, job, { isAttempt: true, executor }),
  });
  const handover = { assumptions: record.assumptions };
  return sharedSpec(context, 'reviewer', job, { executor, projectBody: '', handover, opening });
}

async function concludeReview(
  context: JobContext,
  phase: PhaseRow,
  attemptId: number,
  sessionId: number,
  result: SessionResult,
  evidence: readonly Evidence[],
): Promise<void> {
  const { state } = context.store;
  if (result.outcome === 'aborted' || result.outcome === 'unavailable') {
    if (state.attempts.get(attemptId)?.status === 'running') {
      const cause = result.outcome === 'aborted' ? 'pause' : 'unavailable';
      await context.store.commit({ type: 'attempt_interrupted', id: attemptId, job_id: context.jobId, cause });
    }
    if (result.outcome === 'unavailable') await waitOrAskSteward(context, result);
    return;
  }
  // A reviewer whose files vanished judged nothing.
  const job = need(state, 'jobs', context.jobId);
  await context.git.requireClone(jobTree(context.projectDir, job));
  const verdict = verdictOf(
    job,
    result,
    phaseFeatures(state, phase.id).some((feature) => feature.status === 'completed'),
    evidence,
  );
  const told = withDifference(verdict, evidence);
  await context.store.commit({
    type: 'attempt_ended',
    id: attemptId,
    job_id: context.jobId,
    status: 'succeeded',
    cause: sameVerdict(context, phase, attemptId, told) ? 'same_verdict' : told.verdict,
    summary: told.reason,
    feedback: told.feedback === '' ? null : told.feedback,
    verdict: told,
    commit: null,
    evidence,
    diff: null,
    approval: null,
    session: sessionEnd(sessionId, result),
  });
}

/** A missing verdict never approves: a missing or contradictory verdict goes to the steward. */
function verdictOf(
  job: JobRow,
  result: SessionResult,
  anythingCompleted: boolean,
  evidence: readonly Evidence[],
): Verdict {
  if (result.outcome !== 'answered' || result.answer.kind !== 'verdict') {
    const why = result.outcome === 'ended' ? `${result.reason}: ${result.detail}` : 'it gave no verdict';
    return { verdict: 'ESCALATE', reason: `The review ended without a verdict (${why}).`, feedback: '', reopen: [] };
  }
  const { verdict } = result.answer;
  if (verdict.verdict === 'APPROVED' && !anythingCompleted) {
    return {
      ...verdict,
      verdict: 'ESCALATE',
      reason: `No feature of this phase is completed, yet the reviewer approved it: ${verdict.reason}`,
    };
  }
  const failing = evidence.find((one) => !hasPassed(one));
  if (verdict.verdict === 'APPROVED' && failing !== undefined) {
    const before = failsAsBefore(job, failing) ? ', as it did before any work' : '';
    const reason = `\`${failing.command}\` failed in a fresh checkout${before}, yet the reviewer approved it: ${verdict.reason}`;
    return { ...verdict, verdict: 'ESCALATE', reason };
  }
  return verdict;
}

/** The worker sees no evidence: what passed in its tree and nowhere else is part of the feedback. */
function withDifference(verdict: Verdict, evidence: readonly Evidence[]): Verdict {
  const difference = differenceText(evidence);
  if (verdict.verdict !== 'REJECTED' || difference === null) return verdict;
  return { ...verdict, feedback: [verdict.feedback || verdict.reason, difference].join('\n\n') };
}

/** Carries a rejection out: the features that it names, or a fix feature when it names none that exist. */
export async function rejectPhase(
  context: JobContext,
  phase: PhaseRow,
  rejection: { readonly by: 'reviewer' | 'steward'; readonly feedback: string; readonly reopen: readonly string[] },
): Promise<void> {
  const features = phaseFeatures(context.store.state, phase.id);
  const reopen = features.filter((feature) => rejection.reopen.includes(feature.name)).map((feature) => feature.id);
  await context.store.commit({
    type: 'phase_rejected',
    job_id: context.jobId,
    phase_id: phase.id,
    by: rejection.by,
    feedback: rejection.feedback,
    reopen,
    ...(reopen.length > 0
      ? { fix_feature_id: null }
      : { fix_feature_id: await oneId(context, 'features'), ...titled(rejection.feedback) }),
  });
}
