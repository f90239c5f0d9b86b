/** Reads from the results of evals which model passed which tasks, and at what cost, as evidence for routing. */

import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { EvalResult } from '../../shared/eval/records.ts';
import type { Payee } from '../../shared/model/models.ts';
import { isPriced } from '../money/price/unpriced.ts';
import { isPlayed, type Observation } from './evidence.ts';

/**
 * One observation for each task and model, as for a feature: the first run that was judged, with the built-in agent, and for which
 * `provider` was paid. Its cost is that of one attempt at one feature. Runs with an unpriced call or an unknown cost of the worker
 * are left out: a missing price is not a low price.
 */
export function evalObservations(results: readonly EvalResult[], provider: Payee): Observation[] {
  const seen = new Set<string>();
  return results.flatMap((result) => {
    const one = observationOf(result, provider);
    const key = JSON.stringify([result.task, result.model]);
    if (one === null || seen.has(key)) return [];
    seen.add(key);
    return [one];
  });
}

function observationOf({ worker, outcome, ...result }: EvalResult, provider: Payee): Observation | null {
  const isPaid =
    isPlayed(result.provider) === isPlayed(provider) && isPriced(result.provider) && result.unpricedCalls === 0;
  if (!isPaid || result.executor !== BUILT_IN || outcome === 'void' || worker === null) return null;
  return {
    task: result.task,
    model: result.model,
    // The planner's word, because routing asks for the categories of planners.
    category: worker.category ?? result.category,
    // A feature that needed a second attempt did not pass at this cost: in a job, routing would have moved up.
    passed: outcome === 'passed' && worker.passed === worker.features,
    microUsd: Math.ceil(worker.microUsd / worker.features),
    afterFailure: false,
  };
}
