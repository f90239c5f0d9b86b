/** Computes what the limits leave to a starting session: of several limits on the same amount, the one that leaves least. */

import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import { OWN_ACCOUNT } from '../../shared/model/models.ts';
import type { CountedLimitName, LimitName } from '../../shared/money.ts';
import type { State } from '../../shared/workspace/state.ts';
import { moneyLeft } from './budget.ts';
import { modelsOfJob } from './price/jobModels.ts';
import { isPricedModel } from './price/terms.ts';
import { unpricedLeft, unpricedUse } from './price/unpriced.ts';
import { projectCountsLeft } from './usageLimits.ts';

export interface LimitLeft {
  readonly counts: 'money' | 'turns' | 'tokens' | 'tool calls';
  readonly limit: LimitName | CountedLimitName;
  /** Micro-USD, or a count. Not below 0. */
  readonly left: number;
  readonly most: number;
}

export interface Beginning {
  /** Whether the session's calls count against the limit of an attempt. */
  readonly isAttempt: boolean;
  readonly executor: string;
  /** Day that its calls are booked on. */
  readonly day: string;
}

/** Money if calls have a price, and each count of which less is left than the limits of an attempt allow. */
export function limitsLeft(state: State, job: JobRow, { isAttempt, executor, day }: Beginning): readonly LimitLeft[] {
  const { provider, attempt } = job.options;
  const { project_id } = job;
  const limits = { ...state.meta.limits, attemptMicroUsd: isAttempt ? attempt.microUsd : null };
  const money = isAnyPriced(job) ? moneyLeft(state, { provider, project_id, job_id: job.id, day }, limits) : null;
  const counts = [...jobCountsLeft(state, job, executor), ...projectLimitsLeft(state, job)]
    .filter((one) => one.left < (one.counts === 'tokens' ? attempt.tokens : attempt.turns))
    .sort((a, b) => a.left - b.left);
  const least = (['turns', 'tokens', 'tool calls'] as const).flatMap(
    (name) => counts.find((one) => one.counts === name) ?? [],
  );
  return [...(money === null ? [] : [{ counts: 'money', ...money } as const]), ...least].map((one) => ({
    ...one,
    left: Math.max(0, one.left),
  }));
}

/** Whether money limits the job: a model of it has a price. */
export const isAnyPriced = ({ options }: Pick<JobRow, 'options'>): boolean =>
  modelsOfJob(options).some((model) => isPricedModel(options, model));

/** An agent with its own account never has a price, whatever the models of the job are. */
function jobCountsLeft(state: State, { id, options }: JobRow, executor: string): readonly LimitLeft[] {
  const limits = options.unpricedLimits;
  if (limits === undefined) return [];
  if (executor === BUILT_IN && modelsOfJob(options).every((model) => isPricedModel(options, model))) return [];
  const payee = executor === BUILT_IN ? options.provider : OWN_ACCOUNT;
  const calls = limits.calls - unpricedUse(state, id, payee).calls;
  const tokens = unpricedLeft(state, id, payee, limits);
  return [
    { counts: 'turns', limit: 'calls', left: calls, most: limits.calls },
    { counts: 'tokens', limit: 'tokens', left: tokens, most: limits.tokens },
  ];
}

function projectLimitsLeft(state: State, { project_id, options }: JobRow): readonly LimitLeft[] {
  const limits = state.projects.get(project_id)?.limits;
  if (limits === undefined) return [];
  const { tokens, toolCalls } = projectCountsLeft(state, { provider: options.provider, project_id }, limits);
  const rows = [
    { counts: 'tokens', limit: 'project_tokens', left: tokens, most: limits.tokens },
    { counts: 'tool calls', limit: 'project_tool_calls', left: toolCalls, most: limits.toolCalls },
  ] as const;
  return rows.flatMap(({ left, most, ...one }) => (left === null || most === null ? [] : [{ ...one, left, most }]));
}
