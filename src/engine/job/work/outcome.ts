/** Converts a worker session's result to the attempt's end: evidence decides, not the claim. */

import { isSideBySide } from '../../../core/agent/executors.ts';
import { needsNoMerge } from '../../../core/job/mergeQueue.ts';
import { need } from '../../../core/state/rows.ts';
import type { Report } from '../../../shared/job/plan.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import { question } from '../../approval/questions.ts';
import type { SessionResult } from '../../session/ports.ts';
import { type Conversation, type JobContext, oneId } from '../context.ts';
import { advance } from '../tree/branch.ts';
import { keepAsItLies } from '../tree/keptWork.ts';
import { examine, failed, keepDiff, type Result } from './examine.ts';
import { sessionEnd, waitOrAskSteward } from './sessionRow.ts';
import { quietShells } from './sessionShell.ts';
import { lacks, nothingNew, overBudget } from './stopRules.ts';

/** Ends, queues or interrupts the attempt. Returns true if the conversation is still needed, or may take the next feature. */
export async function endAttempt(
  context: JobContext,
  attempt: AttemptRow,
  conversation: Conversation,
  result: SessionResult,
): Promise<boolean> {
  await quietShells(context, 'the attempt ended');
  const job = need(context.store.state, 'jobs', context.jobId);
  if (result.outcome === 'aborted') return interrupt(context, attempt, 'pause');
  if (result.outcome === 'unavailable' && result.limit !== 'attempt') {
    await interrupt(context, attempt, 'unavailable');
    await waitOrAskSteward(context, result);
    return false;
  }
  const feature = need(context.store.state, 'features', attempt.feature_id ?? 0);
  const judged = await judge(context, job, attempt, feature, result);
  if (judged === 'interrupted') return interrupt(context, attempt, 'pause');
  const goesOn = judged.status === 'succeeded' && conversation.taken < job.options.batch && !isSideBySide(feature);
  const work =
    judged.diff === undefined
      ? await keepDiff(context, job, attempt, judged.commit)
      : { diff: judged.diff, changed: judged.changed ?? null, kept: judged.kept ?? null, left: judged.left ?? null };
  const ended = {
    type: 'attempt_ended',
    id: attempt.id,
    job_id: job.id,
    verdict: null,
    session: goesOn ? null : sessionEnd(conversation.sessionId, result),
    ...(await nothingNew(context, job, attempt, feature, { ...judged, ...work })),
  } as const;
  const { commit } = judged;
  if (judged.status === 'succeeded' && commit !== null && !isSideBySide(feature))
    return context.onBranch(() => land(context, job, attempt, { ...ended, commit }, goesOn));
  await context.store.commit(ended);
  return goesOn;
}

type Ended = Extract<EventDraft, { type: 'attempt_ended' }>;

/** Completes the feature, or queues the attempt if its commit is no longer on top of the branch. */
async function land(
  context: JobContext,
  job: JobRow,
  attempt: AttemptRow,
  ended: Ended & { readonly commit: string },
  goesOn: boolean,
): Promise<boolean> {
  const { store } = context;
  if (needsNoMerge(store.state, attempt)) {
    await advance(context, job, attempt.base_commit, ended.commit);
    await store.commit(ended);
    return goesOn;
  }
  const { id, job_id, commit, cause, summary, evidence, diff, changed = null, kept = null, left = null } = ended;
  const result = { commit, cause, summary, evidence, diff, changed, kept, left };
  await store.commit({ type: 'attempt_queued', id, job_id, ...result });
  return true;
}

async function interrupt(context: JobContext, attempt: AttemptRow, cause: 'pause' | 'unavailable'): Promise<false> {
  await keepAsItLies(context, attempt);
  const now = context.store.state.attempts.get(attempt.id);
  if (now?.status === 'running')
    await context.store.commit({ type: 'attempt_interrupted', id: attempt.id, job_id: attempt.job_id, cause });
  return false;
}

type Over = Exclude<SessionResult, { outcome: 'aborted' }>;

async function judge(
  context: JobContext,
  job: JobRow,
  attempt: AttemptRow,
  feature: FeatureRow,
  result: Over,
): Promise<Result | 'interrupted'> {
  if (result.outcome === 'unavailable') return overBudget(context, job, attempt, feature, result);
  if (result.outcome === 'ended') {
    return failed(result.reason, null, `The attempt ended: ${result.reason}. ${result.detail}`.trim(), []);
  }
  if (result.answer.kind !== 'report') return failed('invalid_answer', null, 'The session gave no report.', []);
  const { report } = result.answer;
  if (context.memory.gaveUp) return failed('gave_up', report.summary, report.summary, []);
  if (report.outcome !== 'done') return needsSteward(context, job, feature, report);
  return examine(context, job, attempt, feature, report);
}

async function needsSteward(context: JobContext, job: JobRow, feature: FeatureRow, report: Report): Promise<Result> {
  const asks = report.question === '' ? report.summary : report.question;
  const status = report.outcome === 'blocked' ? 'blocked' : 'stuck';
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'stuck',
    about: { of: status, featureId: feature.id },
    question: asks,
    detail: report.summary,
    feature_id: feature.id,
    phase_id: feature.phase_id,
  });
  const cause = lacks(report)?.by ?? status;
  return { status, cause, summary: report.summary, feedback: null, commit: null, evidence: [], approval };
}
