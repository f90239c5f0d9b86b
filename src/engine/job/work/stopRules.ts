/** Ends attempts that another attempt would not improve: a typed cause, and a question with its evidence. */

import { isSideBySide } from '../../../core/agent/executors.ts';
import type { GaveUpCause } from '../../../core/approval/about.ts';
import { type Blocked, blockedReport } from '../../../core/job/environmentFault.ts';
import { OWN_BUDGET, type Repeated, repeated, sameText } from '../../../core/job/stopRules.ts';
import { featureAttempts, phaseReviews } from '../../../core/state/rows.ts';
import type { NewApproval } from '../../../shared/approval.ts';
import type { Report, Verdict } from '../../../shared/job/plan.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import { limitQuestion, question } from '../../approval/questions.ts';
import type { SessionResult } from '../../session/ports.ts';
import { type JobContext, oneId } from '../context.ts';

type Ended = Extract<EventDraft, { type: 'attempt_ended' }>;
type Failed = Pick<Ended, 'status' | 'cause' | 'feedback' | 'diff' | 'approval'>;

const TWICE: Readonly<Record<Repeated, string>> = {
  same_error: 'failed twice with the same error',
  same_verdict: 'was rejected twice for the same reason',
  empty_diff: 'was tried twice without a change to any file',
};

const BLOCKED: Readonly<Record<Blocked['by'], string>> = {
  tool_missing: 'a tool that is not installed',
  host_refused: 'a host that it may not reach',
  service_down: 'a service that is down',
  credential_missing: 'a credential that is missing',
};

/**
 * After a failed attempt without new information, asks before the next attempt, unless it was the last. The retry is used anyway.
 */
export async function nothingNew<T extends Failed>(
  context: JobContext,
  job: JobRow,
  attempt: AttemptRow,
  feature: FeatureRow,
  ended: T,
): Promise<T> {
  if (isSideBySide(feature)) return ended;
  const before = featureAttempts(context.store.state, feature.id).filter((row) => row.number < attempt.number);
  const cause = repeated(before.at(-1), ended);
  if (cause === null) return ended;
  const isLast = feature.retry_count + 1 >= job.options.maxRetries;
  const asks = `"${feature.name}" ${TWICE[cause]}. Try it once more?`;
  const approval = isLast ? null : await asked(context, job, feature, cause, asks, ended.feedback ?? '');
  return { ...ended, cause, approval: ended.approval ?? approval };
}

/** Whether the review before this one of the same phase rejected it in the same words. */
export function sameVerdict({ store }: JobContext, phase: PhaseRow, attemptId: number, now: Verdict): boolean {
  const before = phaseReviews(store.state, phase.id)
    .filter((row) => row.id !== attemptId && row.verdict !== null)
    .at(-1)?.verdict;
  if (now.verdict !== 'REJECTED' || before?.verdict !== 'REJECTED') return false;
  return sameText(before.feedback, now.feedback) && before.reopen.join('\n') === now.reopen.join('\n');
}

/** The cause that blocks a worker with a question to the steward. Null if the question has another reason. */
export function lacks({ summary, question: asks }: Report): Blocked | null {
  return blockedReport(`${asks}\n${summary}`);
}

/** The end of an attempt that its own budget refused a call, with the question whether to raise that budget. It uses no retry. */
export async function overBudget(
  context: JobContext,
  job: JobRow,
  attempt: AttemptRow,
  feature: FeatureRow,
  { detail, raiseTo }: Extract<SessionResult, { outcome: 'unavailable' }>,
) {
  const id = await oneId(context, 'approvals');
  const { question: asks, ...raise } = limitQuestion('attempt', id, raiseTo);
  const approval = question(job, id, {
    kind: 'limit',
    ...raise,
    question: `Attempt ${attempt.number} at "${feature.name}" was stopped by its own budget. ${asks}`,
    detail,
    feature_id: feature.id,
    phase_id: feature.phase_id,
  });
  const none = { feedback: null, commit: null, evidence: [] };
  return { status: 'blocked', cause: OWN_BUDGET, summary: detail, ...none, approval } as const;
}

/** Asks about a check that an external cause prevents. */
export function askToUnblock(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  command: string,
  { by, line }: Blocked,
): Promise<NewApproval> {
  const asks = `"${feature.name}" cannot be checked: \`${command}\` needs ${BLOCKED[by]}. Try again?`;
  return asked(context, job, feature, by, asks, line);
}

async function asked(
  context: JobContext,
  job: JobRow,
  feature: FeatureRow,
  cause: GaveUpCause,
  asks: string,
  detail: string,
): Promise<NewApproval> {
  return question(job, await oneId(context, 'approvals'), {
    kind: 'stuck',
    about: { of: 'gaveUp', cause, featureId: feature.id },
    question: asks,
    detail,
    feature_id: feature.id,
    phase_id: feature.phase_id,
  });
}
