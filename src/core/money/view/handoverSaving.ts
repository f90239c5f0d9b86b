/**
 * Estimates what handovers saved, compared with one conversation to the end: the later requests would have read the longer history again.
 * The first requests of a fresh conversation are assumed to read again what the earlier one held, as the decision to hand over assumes, so
 * they count as a cost of the handover.
 */
import type { SpendRow } from '../../../shared/money.ts';
import { READ_AGAIN } from '../../session/handover.ts';
import { cost, hasPrice, type PriceTable, windowOf } from '../pricing.ts';
import { isPriced } from '../unpriced.ts';
import { promptOf, type Run, usageOf } from './conversationRuns.ts';

/** Micro-USD, negative if the handovers cost more than they saved. Null without a handover, or if a call has no price. */
export function handoverSaving(runs: readonly Run[], prices: PriceTable): number | null {
  if (runs.length < 2 || !runs.every(({ calls }) => calls.every((row) => hasCost(row, prices)))) return null;
  let saved = 0;
  /** Tokens by which one conversation to the end would be longer. */
  let longer = 0;
  /** Its length at the last handover. */
  let length = 0;
  for (const [index, { calls, isPassage }] of runs.entries()) {
    const summary = summaryRequests(runs, index);
    for (const row of summary) saved -= costOf(row, prices);
    if (isPassage) continue;
    const work = calls.slice(0, calls.length - summary.length);
    if (index > 0) {
      const later = work.slice(READ_AGAIN);
      for (const row of work.slice(0, READ_AGAIN)) saved -= costOf(row, prices);
      const first = later[0] ?? work.at(-1);
      if (first !== undefined) longer = length - promptOf(first);
      for (const row of later) saved += costOfReading(row, longer, prices) - costOf(row, prices);
    }
    const end = calls.at(-1);
    if (end !== undefined) length = promptOf(end) + longer;
  }
  return saved;
}

/** What is left of a refused history serves nothing else than its summary. */
function summaryRequests(runs: readonly Run[], index: number): readonly SpendRow[] {
  const [run, next] = [runs[index], runs[index + 1]];
  if (run === undefined || next === undefined) return [];
  if (run.isPassage) return run.calls;
  return next.isPassage ? [] : run.calls.slice(-1);
}

const hasCost = ({ provider, model }: SpendRow, prices: PriceTable): boolean =>
  isPriced(provider) && hasPrice(prices, model);

const costOf = (row: SpendRow, prices: PriceTable): number => cost(prices, row.model, usageOf(row));

/** The cost of the request if it had read `more` tokens from the cache, as far as the window permits. */
function costOfReading(row: SpendRow, more: number, prices: PriceTable): number {
  const usage = usageOf(row);
  const most = (windowOf(prices, row.model) ?? Number.POSITIVE_INFINITY) - promptOf(row);
  const cacheRead = Math.max(0, usage.cacheRead + Math.min(more, most));
  return cost(prices, row.model, { ...usage, cacheRead });
}
