/**
 * Estimates the cost of a plan: the range of the earlier jobs of the same model, per completed feature. Without such jobs, the budget is the only
 * bound. Simulated jobs are never counted, because their costs and times are invented.
 */

import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { PlanEstimate, PlanRange } from '../../../shared/job/planView.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { countedIn, type Ledger } from '../../money/ledger.ts';
import { isAnyPriced } from '../../money/limitsLeft.ts';

interface Recorded {
  readonly features: number;
  /** Per completed feature. Null if no call of the job has a price. */
  readonly microUsd: number | null;
  readonly ms: number;
}

const workerOf = ({ options }: JobRow): string => options.executors?.worker ?? BUILT_IN;

/** Whether one job's figures say something about the other: the same provider, model and agent work in both. */
function isAlike(one: JobRow, other: JobRow): boolean {
  return (
    one.options.provider === other.options.provider &&
    one.options.models.worker === other.options.models.worker &&
    (one.options.routing ?? 'off') === (other.options.routing ?? 'off') &&
    workerOf(one) === workerOf(other)
  );
}

function completedByJob(state: State): ReadonlyMap<string, number> {
  const byJob = new Map<string, number>();
  for (const { job_id, status } of state.features.values()) {
    if (job_id !== null && status === 'completed') byJob.set(job_id, (byJob.get(job_id) ?? 0) + 1);
  }
  return byJob;
}

function workedByJob(state: State): ReadonlyMap<string, number> {
  const byJob = new Map<string, number>();
  for (const { job_id, started_at, ended_at } of state.attempts.values()) {
    if (ended_at === null) continue;
    byJob.set(job_id, (byJob.get(job_id) ?? 0) + Date.parse(ended_at) - Date.parse(started_at));
  }
  return byJob;
}

function recordedOf(state: State, ledger: Ledger, job: JobRow): Recorded[] {
  const completed = completedByJob(state);
  const worked = workedByJob(state);
  return [...state.jobs.values()].flatMap((other) => {
    const features = completed.get(other.id) ?? 0;
    if (other.id === job.id || features === 0 || !isAlike(other, job)) return [];
    const sums = ledger.byJob.get(other.id);
    const isUnpriced = sums === undefined || sums.unpricedCalls > 0;
    const microUsd = isUnpriced ? null : countedIn(sums) / features;
    return [{ features, microUsd, ms: (worked.get(other.id) ?? 0) / features }];
  });
}

function rangeOf(values: readonly number[], times: number): PlanRange {
  return { low: Math.min(...values) * times, high: Math.max(...values) * times };
}

/** `features`: how many are still to be done. */
export function planEstimate(state: State, ledger: Ledger, job: JobRow, features: number): PlanEstimate {
  const { provider, models, budgetMicroUsd } = job.options;
  if (provider === 'simulated') return { source: 'simulated' };
  const recorded = recordedOf(state, ledger, job);
  if (recorded.length === 0) {
    if (budgetMicroUsd === null || !isAnyPriced(job)) return { source: 'unknown' };
    return { source: 'budget', atMostUsd: budgetMicroUsd / 1e6 };
  }
  const costs = recorded.flatMap(({ microUsd }) => (microUsd === null ? [] : [microUsd / 1e6]));
  return {
    source: 'recorded',
    model: models.worker,
    jobs: recorded.length,
    features: recorded.reduce((sum, one) => sum + one.features, 0),
    usd: costs.length < recorded.length ? null : rangeOf(costs, features),
    ms: rangeOf(
      recorded.map(({ ms }) => ms),
      features,
    ),
  };
}
