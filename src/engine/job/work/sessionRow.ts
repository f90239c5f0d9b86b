/** Starts and ends the row of a session; handles refusals of the provider or the budget. */

import { executorFor } from '../../../core/agent/executors.ts';
import { need, openSession as sessionUnderWay } from '../../../core/state/rows.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import { MODEL_REFUSALS } from '../../../shared/errors.ts';
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { SessionEnd } from '../../../shared/session.ts';
import { limitQuestion, question } from '../../approval/questions.ts';
import type { SessionResult } from '../../session/ports.ts';
import { type JobContext, type ModelRole, oneId } from '../context.ts';
import { askOnce, awaitAnswer } from '../lanes/laneQuestions.ts';

export function sessionEnd(id: number, result: SessionResult): SessionEnd {
  const failed =
    result.outcome === 'ended'
      ? `${result.reason}: ${result.detail}`
      : result.outcome === 'unavailable'
        ? result.detail
        : null;
  return { id, status: failed === null ? 'completed' : 'failed', error_message: failed, turns: result.turns };
}

/**
 * Handles a refusal of the provider or the budget. The job waits until it may try again, or asks if only a person can help. The
 * session stays open and no retry is used.
 */
export async function waitOrAskSteward(
  context: JobContext,
  result: Extract<SessionResult, { outcome: 'unavailable' }>,
): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const why = result.hint === '' ? result.detail : `${result.detail}. ${result.hint}`;
  if (result.wakeAt !== null) {
    await context.store.commit({ type: 'job_waiting', job_id: job.id, reason: result.detail, wake_at: result.wakeAt });
    return;
  }
  const id = await oneId(context, 'approvals');
  const limit = result.code === 'LIMIT_REACHED';
  if (!limit && !MODEL_REFUSALS.includes(result.code)) {
    const wake_at = new Date(context.clock.now() + 60_000).toISOString();
    await context.store.commit({ type: 'job_waiting', job_id: job.id, reason: result.detail, wake_at });
    return;
  }
  const asked = limit
    ? question(job, id, {
        kind: 'limit',
        ...limitQuestion(result.limit ?? 'job', id, result.raiseTo),
        detail: why,
      })
    : question(job, id, {
        kind: 'provider',
        about: { of: 'provider', code: result.code, id },
        question: `The model cannot be used: ${result.detail}. Try again?`,
        detail: why,
      });
  await askOnce(context, asked);
  await awaitAnswer(context, asked.question);
}

/** The id of the session for a purpose: the open one, or a new row. */
export async function sessionFor(
  context: JobContext,
  job: JobRow,
  role: ModelRole,
  about: {
    readonly phaseId: number | null;
    readonly notes?: readonly number[];
    readonly fresh?: boolean;
    /** The feature that a worker starts. */
    readonly feature?: FeatureRow;
    /** For a reviewer of one feature: the attempt that it reviews. */
    readonly reviews?: number;
    /** Model of a new row. Defaults to the model of the role. */
    readonly model?: string;
  },
): Promise<number> {
  const known =
    about.fresh === true
      ? undefined
      : sessionUnderWay(context.store.state, {
          job_id: job.id,
          role,
          phaseId: about.phaseId,
          reviews: about.reviews ?? null,
        });
  if (known !== undefined) return known.id;
  const id = await oneId(context, 'sessions');
  await context.store.commit({
    type: 'session_started',
    id,
    job_id: job.id,
    project_id: job.project_id,
    role,
    model: about.model ?? job.options.models[role],
    executor: role === 'summarizer' ? BUILT_IN : executorFor(job, role, about.feature ?? null),
    phase_id: about.phaseId,
    notes: about.notes ?? [],
    ...(about.reviews === undefined ? {} : { reviews: about.reviews }),
  });
  return id;
}
