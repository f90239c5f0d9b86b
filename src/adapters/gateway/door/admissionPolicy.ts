/** Decides whether a call may leave, how long its answer may be, and the reason for a refusal. */

import { isActive } from '../../../core/job/view/jobStatus.ts';
import { admit } from '../../../core/money/budget.ts';
import type { Refusal } from '../../../core/money/limitReached.ts';
import { longestAnswer, type PriceTable, reservation } from '../../../core/money/price/pricing.ts';
import { isPricedCall } from '../../../core/money/price/terms.ts';
import { admitUnpriced } from '../../../core/money/price/unpriced.ts';
import { leftFor } from '../../../core/money/shorterAnswer.ts';
import { admitCounted } from '../../../core/money/usageLimits.ts';
import { isOver } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { SessionRow } from '../../../shared/session.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { MessageRequest } from '../send/request.ts';

/**
 * The running session of a job, a task and a project that may continue. Throws NOT_PERMITTED, or ABORTED if one of them
 * was stopped.
 */
export function runningSession(state: State, id: number): SessionRow {
  const session = state.sessions.get(id);
  if (session !== undefined) needGoingOn(state, session.project_id);
  const task = session?.task_id == null ? undefined : state.tasks.get(session.task_id);
  if (task !== undefined && isOver(task)) {
    throw failure('ABORTED', `the task is ${task.status}`, { details: { task: task.id } });
  }
  if (session === undefined || session.status !== 'running') {
    throw failure('NOT_PERMITTED', `session ${id} is not running`, { details: { session: id } });
  }
  const job = session.job_id === null ? undefined : state.jobs.get(session.job_id);
  if (job !== undefined && !isActive(job)) {
    throw failure('ABORTED', `the job is ${job.status}`, { details: { job: job.id } });
  }
  return session;
}

/** Checked before the session, because stopping a project ends its sessions: the caller should get `ABORTED`, not "unknown session". */
function needGoingOn(state: State, projectId: string): void {
  const project = state.projects.get(projectId);
  if (project === undefined || (project.status === 'active' && project.parked === null)) return;
  const why = project.parked === null ? project.status : 'parked';
  throw failure('ABORTED', `the project is ${why}`, { details: { project: project.id } });
}

/** A call that may leave: the length of its answer, and its highest possible usage and cost. */
export interface Fitted {
  readonly maxTokens: number;
  readonly microUsd: number;
  readonly tokens: number;
}

export interface FittedCall extends Pick<MessageRequest, 'model' | 'maxTokens' | 'cacheWrite'> {
  readonly provider: ConnectionName;
  readonly day: string;
  readonly inputBound: number;
  /** Tokens below which the answer is not shortened. */
  readonly least: number;
}

/**
 * Shortens the answer as far as the limits need it, so that a small budget pays for a call whose usual answer could
 * cost more. Calls in flight do not shorten an answer: they mostly cost less than they reserve, so a call is queued
 * behind them. Throws MODEL_UNPRICED.
 */
export function fitAnswer(state: State, session: SessionRow, prices: PriceTable, call: FittedCall): Fitted | Refusal {
  const { provider, day, model, inputBound, cacheWrite } = call;
  const priced = isPricedCall(provider, model, prices);
  const stated = priced ? 0 : dearestStated(state, session, model);
  let first: Refusal | null = null;
  for (let maxTokens = call.maxTokens; ; ) {
    const microUsd = priced ? reservation(prices, model, inputBound, maxTokens, cacheWrite) : stated;
    const tokens = inputBound + maxTokens;
    const refusal = judge(state, session, { provider, model, priced, day, microUsd, tokens });
    if (refusal === null) return { maxTokens, microUsd, tokens };
    if (isPassing(refusal)) return refusal;
    first ??= refusal;
    const left = leftFor(refusal);
    // How long an answer may be for an amount is only known with a price.
    if (left === null || (!priced && !('tokens' in left))) return first;
    const fewer =
      'tokens' in left ? left.tokens - inputBound : longestAnswer(prices, model, inputBound, left.microUsd, cacheWrite);
    if (fewer < call.least || fewer >= maxTokens) return first;
    maxTokens = fewer;
  }
}

/** The highest possible usage and cost of a call. */
interface Wanted {
  readonly model: string;
  readonly priced: boolean;
  readonly provider: ConnectionName;
  readonly day: string;
  readonly microUsd: number;
  readonly tokens: number;
}

/** Returns null if no limit blocks the call. Throws MODEL_UNPRICED for a call that no limit would bound. */
function judge(state: State, session: SessionRow, wanted: Wanted): Refusal | null {
  const { provider, priced, day, microUsd, tokens } = wanted;
  const { project_id, job_id, attempt_id, task_id } = session;
  // A call without a price costs money too if its gateway states a cost.
  const ofMoney = refusalOf(
    admit(state, { provider, project_id, job_id, attempt_id, task_id, day, microUsd }, state.meta.limits),
  );
  const refusal = ofMoney ?? (priced ? null : judgeUnpriced(state, session, wanted));
  const limits = state.projects.get(project_id)?.limits;
  if (refusal !== null || limits === undefined) return refusal;
  return refusalOf(admitCounted(state, { provider, project_id, tokens }, limits));
}

/** The highest cost that a gateway stated of a call of this model, whose price is not known. */
function dearestStated({ spends }: State, { job_id }: SessionRow, model: string): number {
  let most = 0;
  for (const row of spends.values())
    if (row.job_id === job_id && row.model === model) most = Math.max(most, row.settled_micro_usd);
  return most;
}

function refusalOf(answer: { readonly ok: true } | ({ readonly ok: false } & Refusal)): Refusal | null {
  return answer.ok ? null : answer;
}

/** Whether a shorter prompt could pass. */
export function dependsOnPrompt({ limit }: Refusal): boolean {
  return limit !== 'calls' && limit !== 'project_tool_calls';
}

/** Whether only calls in flight block this call. */
export function isPassing(refusal: Refusal): boolean {
  if ('limitMicro' in refusal) return refusal.spentMicro + refusal.wantedMicro <= refusal.limitMicro;
  return refusal.used + refusal.wanted <= refusal.most;
}

/** Calls and tokens bound a job's call; the project's limits bound a call of its conversation. */
function judgeUnpriced(state: State, session: SessionRow, { provider, model, tokens }: Wanted): Refusal | null {
  const { job_id, project_id } = session;
  if (job_id === null) {
    const limits = state.projects.get(project_id)?.limits;
    if (limits?.tokens != null && limits.toolCalls != null) return null;
    throw failure(
      'MODEL_UNPRICED',
      `there is no price for the model ${model}, and the project has no limits of tokens and tool calls`,
      {
        hint: 'Set both limits of the project, or choose another model.',
        details: { provider, project: project_id },
      },
    );
  }
  const limits = state.jobs.get(job_id)?.options.unpricedLimits;
  if (limits !== undefined) return refusalOf(admitUnpriced(state, { provider, job_id, tokens }, limits));
  throw failure(
    'MODEL_UNPRICED',
    `there is no price for the model ${model}, and the job has no limits of calls and tokens`,
    {
      hint: 'File the brief with such limits, or choose another model.',
      details: { provider },
    },
  );
}
