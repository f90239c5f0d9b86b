/** Estimates what each rung of a ladder passes and costs for one category, from what was observed. Pure arithmetic. */

import { cost, hasPrice, type PriceTable } from '../money/price/pricing.ts';
import type { Observation } from './evidence.ts';

/** Results of a category on a rung before the rung may be skipped: one or two failures show nothing. */
export const MIN_RESULTS = 5;
/** Weight of the prior, in results. Without any result, a rung passes half of the features. */
const PRIOR = 2;
/** Standard deviations by which a pass rate may be higher than its estimate before its rung is skipped. */
const DOUBT = 2;
/** A call of a worker, to compare the prices of models that were not observed. */
const TYPICAL_CALL = { input: 1_000, output: 1_000, cacheRead: 30_000, cacheWrite5m: 3_000, cacheWrite1h: 0 };

export interface Rung {
  readonly model: string;
  /** Features of the category that this model attempted, and those of them that passed. */
  readonly results: number;
  readonly passed: number;
  /** Those of `results` that are of evals. */
  readonly evals: number;
  /** Mean cost of those attempts. Null if there are none. */
  readonly meanMicroUsd: number | null;
  /** Estimated cost of an attempt. Comparable between rungs; an amount of money only if `isKnown`. */
  readonly attemptCost: number;
  readonly isKnown: boolean;
  /** Estimated share of features that pass if their first attempt is here. */
  readonly passRate: number;
  /** The same for features at which a weaker model failed. */
  readonly passRateAfter: number;
}

/** The cost of a typical call: orders the models of a ladder. Throws MODEL_UNPRICED. */
export const typicalCost = (table: PriceTable, model: string): number => cost(table, model, TYPICAL_CALL);

const sameCategory = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const countPassed = (seen: readonly Observation[]): number => seen.filter(({ passed }) => passed).length;
const mean = (seen: readonly Observation[]): number => sum(seen.map(({ microUsd }) => microUsd)) / seen.length;

function rate(passed: number, results: number, prior: number): number {
  return (passed + PRIOR * prior) / (results + PRIOR);
}

/**
 * Share that passes on the first attempt with the model at `at`. A feature that a weaker model passed counts as passed, because a stronger model would
 * have passed it too; otherwise a model that only gets the failures of others would look bad. A task of an eval counts once, by the model's own
 * result if there is one.
 */
function firstRate(models: readonly string[], at: number, seen: readonly Observation[], prior: number): number {
  const own = seen.filter(({ model }) => model === models[at]);
  const weaker = new Set(models.slice(0, at));
  const counted = new Set(own.map(({ task }) => task));
  const others = seen.filter(({ model, passed, task }) => {
    if (!passed || !weaker.has(model) || (task !== null && counted.has(task))) return false;
    counted.add(task);
    return true;
  });
  return rate(countPassed(own) + others.length, own.length + others.length, prior);
}

/** Share that passes here after a weaker model failed. */
function afterRate(model: string, seen: readonly Observation[], prior: number): number {
  const after = seen.filter((one) => one.model === model && one.afterFailure);
  return rate(countPassed(after), after.length, prior);
}

/** Cost of an attempt with each model over all categories: as observed, or from an observed model by the ratio of their prices. */
function costs(models: readonly string[], seen: readonly Observation[], table: PriceTable): readonly number[] {
  const prices = models.map((model) => typicalCost(table, model));
  const observed = models.map((model) => seen.filter((one) => one.model === model));
  // The pooled ratio of observed cost to price: how many typical calls an attempt makes.
  const known = models.flatMap((_, at) => {
    const of = observed[at] ?? [];
    const price = prices[at] ?? 0;
    return of.length === 0 || price === 0 ? [] : [mean(of) / price];
  });
  const calls = known.length === 0 ? 1 : sum(known) / known.length;
  return models.map((_, at) => {
    const of = observed[at] ?? [];
    const scaled = (prices[at] ?? 0) * calls;
    return of.length === 0 ? scaled : (sum(of.map(({ microUsd }) => microUsd)) + scaled) / (of.length + 1);
  });
}

/** The rungs of a ladder, without the models that have no price: they are never chosen. */
export function rungsOf(
  ladder: readonly string[],
  all: readonly Observation[],
  category: string,
  table: PriceTable,
): Rung[] {
  const models = ladder.filter((model) => hasPrice(table, model));
  const known = all.filter(({ model }) => models.includes(model));
  const own = known.filter((one) => sameCategory(one.category, category));
  const pooled = costs(models, known, table);
  return models.map((model, at) => {
    const here = own.filter((one) => one.model === model);
    const attemptCost = (sum(here.map(({ microUsd }) => microUsd)) + PRIOR * (pooled[at] ?? 0)) / (here.length + PRIOR);
    return {
      model,
      results: here.length,
      passed: countPassed(here),
      evals: here.filter(({ task }) => task !== null).length,
      meanMicroUsd: here.length === 0 ? null : mean(here),
      attemptCost,
      isKnown: known.length > 0,
      passRate: firstRate(models, at, own, firstRate(models, at, known, 0.5)),
      passRateAfter: afterRate(model, own, afterRate(model, known, 0.5)),
    };
  });
}

/** The rungs of the attempts that are left, if each attempt fails: one rung up each time, and the last attempt on the strongest. */
export function pathFrom(start: number, rungs: number, attempts: number): number[] {
  const top = rungs - 1;
  return Array.from({ length: Math.max(1, attempts) }, (_, at) =>
    at === Math.max(1, attempts) - 1 ? top : Math.min(start + at, top),
  );
}

/**
 * Expected cost of a passed feature that starts at `start`, its failed attempts included. `firstRate` replaces the pass rate of the start.
 */
export function costPerPassed(
  rungs: readonly Rung[],
  start: number,
  attempts: number,
  firstRate = rungs[start]?.passRate ?? 0,
): number {
  let open = 1;
  let cost = 0;
  for (const [at, index] of pathFrom(start, rungs.length, attempts).entries()) {
    const rung = rungs[index];
    if (rung === undefined) break;
    cost += open * rung.attemptCost;
    open *= 1 - (at === 0 ? firstRate : rung.passRateAfter);
  }
  return cost / (1 - open);
}

/** The most that the pass rate may plausibly be, by the number of its results. */
function hopefulRate({ passRate, results }: Rung): number {
  return Math.min(1, passRate + DOUBT * Math.sqrt((passRate * (1 - passRate)) / (results + PRIOR)));
}

/**
 * The rung that makes a passed feature cheapest. A rung is skipped only on evidence: it has at least `MIN_RESULTS` results in the category, and is more
 * expensive even if its pass rate is as high as these results allow. A skipped rung gets no further results, so that a wrong decision would last.
 * Without evidence the start is the cheapest rung, because a failed attempt moves up.
 */
export function startingRung(rungs: readonly Rung[], attempts: number): number {
  let best = 0;
  for (let at = 1; at < rungs.length; at++) {
    const below = rungs.slice(0, at);
    if (below.some(({ results }) => results < MIN_RESULTS)) break;
    const cost = costPerPassed(rungs, at, attempts);
    const isCheaper = below.every((rung, other) => cost < costPerPassed(rungs, other, attempts, hopefulRate(rung)));
    if (isCheaper) best = at;
  }
  return best;
}
