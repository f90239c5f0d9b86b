/** Writes the reason for a route, as it is stored and shown. */

import type { Rung } from './rungs.ts';

/** Characters of a category. A planner chooses the words. */
const MAX_CATEGORY = 40;

const nameOf = (rungs: readonly Rung[], at: number): string => rungs[at]?.model ?? '';

/** With as many decimals as a small amount needs: `$0.0004`, `$0.02`, `$1.20`. */
function dollars(microUsd: number): string {
  const usd = microUsd / 1e6;
  if (usd >= 0.01 || usd === 0) return `$${usd.toFixed(2)}`;
  return `$${Number(usd.toPrecision(1)).toFixed(6).replace(/0+$/, '')}`;
}

function named(category: string): string {
  const word = category.replace(/\s+/g, ' ').replaceAll('`', '').trim();
  return `\`${word.length > MAX_CATEGORY ? `${word.slice(0, MAX_CATEGORY - 1)}…` : word}\``;
}

const features = (count: number): string => (count === 1 ? '1 feature' : `${count} features`);

const ofEvals = ({ evals }: Rung): string => (evals === 0 ? '' : ` (${evals} from evals)`);

/** `9 of 10 features of `docs` passed at $0.02 each (4 from evals)`. */
function record(rung: Rung, category: string): string {
  const each = rung.meanMicroUsd === null ? '' : ` at ${dollars(rung.meanMicroUsd)} each`;
  return `${rung.passed} of ${features(rung.results)} of ${named(category)} passed${each}${ofEvals(rung)}`;
}

/** `perPassed`: expected cost of a passed feature by the rung that it starts at. */
export function startReason(
  rungs: readonly Rung[],
  start: number,
  category: string,
  perPassed: readonly number[],
): string {
  const rung = rungs[start];
  if (rung === undefined) return '';
  const others = comparison(rungs, start, perPassed);
  if (rung.results > 0) return `${rung.model}: ${record(rung, category)}${others}`;
  const below = rungs[start - 1];
  if (below !== undefined)
    return `${rung.model}: ${below.model} passed ${below.passed} of ${features(below.results)} of ${named(category)}${ofEvals(below)}${others}`;
  return `${rung.model}: no results for ${named(category)} yet, so the cheapest model starts, and a failed attempt moves up`;
}

/** The expected costs from here and from the neighbors. Empty without any observed cost, because a price alone does not state an amount for a feature. */
function comparison(rungs: readonly Rung[], start: number, perPassed: readonly number[]): string {
  if (rungs[start]?.isKnown !== true || rungs.length === 1) return '';
  const at = (index: number): string => dollars(perPassed[index] ?? 0);
  const above = start + 1 < rungs.length ? [`one rung higher (${nameOf(rungs, start + 1)}) ${at(start + 1)}`] : [];
  const below = start > 0 ? [`one rung lower (${nameOf(rungs, start - 1)}) ${at(start - 1)}`] : [];
  return `; a passed feature would cost ${at(start)} from here, ${[...above, ...below].join(', ')}`;
}

export function climbReason(
  rungs: readonly Rung[],
  rung: number,
  failed: { readonly number: number; readonly model: string },
): string {
  const model = nameOf(rungs, rung);
  const what = `attempt ${failed.number} with ${failed.model} failed`;
  return model === failed.model ? `${model}: ${what}, and no model is stronger` : `${model}: ${what}`;
}

export function lastReason(rungs: readonly Rung[], before: number): string {
  const model = nameOf(rungs, rungs.length - 1);
  return `${model}: the ${before === 0 ? 'only' : 'last'} attempt uses the strongest model`;
}

export function floorReason(rungs: readonly Rung[], rung: number): string {
  return `${nameOf(rungs, rung)}: the model of the attempt before, which did not fail`;
}
