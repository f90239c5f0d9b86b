/**
 * Runs the review of a phase: a reviewer sees the diff and the evidence that the engine made, and answers with a typed verdict.
 */

import { titled } from '../../../core/job/result/fixTitle.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { need, phaseFeatures, phaseReviews } from '../../../core/state/rows.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { AttemptRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { SessionResult } from '../../session/ports.ts';
import { type JobContext, oneId } from '../context.ts';
import { verdictOf, withDifference } from '../result/verdict.ts';
import { routeReviewer } from '../routes.ts';
import { ensureTree } from '../tree/checkpoints.ts';
import { freshEvidence } from '../tree/freshTree.ts';
import { jobHead, jobTree } from '../tree/tree.ts';
import { askToRun } from '../work/evidence.ts';
import { sessionEnd, sessionFor, waitOrAskSteward } from '../work/sessionRow.ts';
import { openAgentSession } from '../work/sessions.ts';
import { sameVerdict } from '../work/stopRules.ts';
import { closeConversation } from './attempt.ts';
import { reviewerAssignment } from './reviewerAssignment.ts';

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
  const { model, route } = routeReviewer(context.store.state, job, phase);
  const sessionId = open?.session_id ?? (await sessionFor(context, job, 'reviewer', { phaseId: phase.id, model }));
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
      ...(route === null ? {} : { route }),
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
