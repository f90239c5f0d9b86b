/** Performs one action of the loop. */
import type { Action } from '../../core/job/action.ts';
import { need } from '../../core/state/rows.ts';
import { acceptPlan } from './actions/acceptPlan.ts';
import { ask } from './actions/ask.ts';
import { attemptFeature, closeConversation, resumeFeature } from './actions/attempt.ts';
import { checkBaseline } from './actions/baseline.ts';
import { raiseLimit } from './actions/limits.ts';
import { mergeJob, refuseMerge } from './actions/merge.ts';
import { pickCandidate } from './actions/pick.ts';
import { makePlan } from './actions/plan.ts';
import { makeClone, runSetup } from './actions/prepare.ts';
import { rejectPhase, reviewPhase } from './actions/review.ts';
import { summarizePhase } from './actions/summarize.ts';
import { verifyResult } from './actions/verifyResult.ts';
import { type JobContext, say } from './context.ts';
import { integrateAttempt } from './result/integrate.ts';
import { jobHead } from './tree/tree.ts';
import { waitUntil } from './waitFor.ts';

export type Work = Exclude<Action, { do: 'stop' }>;

export async function perform(context: JobContext, action: Work): Promise<void> {
  const { store, jobId } = context;
  switch (action.do) {
    case 'wait':
      return waitUntil(context, action.until);
    case 'wake':
      context.memory.wait = null;
      await store.commit({ type: 'job_woken', job_id: jobId });
      return;
    case 'continue':
      await store.commit({ type: 'job_continued', job_id: jobId });
      return;
    case 'await':
      return awaitSteward(context, action.approvals[0]?.question ?? 'waiting for the steward');
    case 'ask':
      await closeConversation(context);
      return ask(context, action.about, action.question);
    case 'fail':
      await store.commit({ type: 'job_failed', job_id: jobId, reason: action.reason });
      return;
    case 'pause':
      await store.commit({ type: 'job_paused', job_id: jobId, reason: action.reason, by: 'steward' });
      return;
    case 'clone':
      return makeClone(context, action.snapshot);
    case 'setup':
      await closeConversation(context);
      return runSetup(context);
    case 'raise_limit':
      return raiseLimit(context, action.approval);
    case 'plan':
      return makePlan(context);
    case 'accept_plan':
      return acceptPlan(context, action.version, action.by);
    case 'refuse_plan':
      await store.commit({
        type: 'plan_refused',
        job_id: jobId,
        feedback: action.feedback,
        by: 'steward',
        session: null,
      });
      return;
    case 'check_baseline':
      return checkBaseline(context, action.commands);
    case 'start_phase':
      await store.commit({
        type: 'phase_started',
        job_id: jobId,
        phase_id: action.phase.id,
        base_commit: jobHead(need(store.state, 'jobs', jobId)),
      });
      return;
    case 'resume':
      return resumeAttempt(context, action.attempt);
    case 'integrate':
      return integrateAttempt(context, action.attempt);
    case 'release':
      await store.commit({
        type: 'feature_set',
        id: action.feature.id,
        status: 'pending',
        by: 'engine',
        reason: 'no session to resume',
      });
      return;
    case 'attempt':
      return attemptFeature(context, action.phase, action.feature);
    case 'pick':
      return pickCandidate(context, action);
    case 'summarize':
      return summarizePhase(context, action.phase);
    case 'begin_review':
      await store.commit({ type: 'phase_reviewing', job_id: jobId, phase_id: action.phase.id });
      return;
    case 'review':
      return reviewPhase(context, action.phase, null);
    case 'approve_phase':
      await store.commit({
        type: 'phase_approved',
        job_id: jobId,
        phase_id: action.phase.id,
        by: action.by,
        reason: action.reason,
      });
      return;
    case 'reject_phase':
      return rejectPhase(context, action.phase, action);
    case 'verify_result':
      return verifyResult(context, action.head);
    case 'accept_result':
      await store.commit({
        type: 'result_accepted',
        job_id: jobId,
        commit: action.head,
        approval_id: action.approval.id,
      });
      return;
    case 'merge':
      return mergeJob(context, action.mode, action.head);
    case 'refuse_merge':
      return refuseMerge(context, action.feedback);
  }
}

async function resumeAttempt(
  context: JobContext,
  attempt: Extract<Action, { do: 'resume' }>['attempt'],
): Promise<void> {
  const { state } = context.store;
  if (attempt.feature_id === null) return reviewPhase(context, need(state, 'phases', attempt.phase_id), attempt);
  return resumeFeature(context, attempt, need(state, 'features', attempt.feature_id));
}

async function awaitSteward(context: JobContext, reason: string): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  if (job.status !== 'awaiting_steward' || job.reason !== reason) {
    await closeConversation(context);
    await context.store.commit({ type: 'job_awaiting', job_id: job.id, reason });
    return;
  }
  say(context, `waiting for the steward: ${reason}`);
  await context.store.changed(context.signal);
}
