/**
 * Estimates what handovers saved, compared with one conversation to the end: the later requests would have read the longer history again.
 * The first calls of tools in a fresh conversation are assumed to read again what the earlier one held, as the decision to hand over
 * assumes, so their requests count as a cost of the handover.
 */
import type { SpendRow, Usage } from '../../../shared/money.ts';
import { inputTokens, NO_USAGE } from '../../model/usage/usage.ts';
import { READ_AGAIN } from '../../session/handover.ts';
import { cost, hasPrice, type PriceTable, windowOf } from '../price/pricing.ts';
import { hasPriceOf } from '../price/unpriced.ts';
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
      const readAgain = requestsReadingAgain(work);
      for (const row of work.slice(0, readAgain)) saved -= costOf(row, prices);
      // The first request after those adds their results, which one conversation to the end would hold already.
      const [first, ...later] = work.slice(readAgain);
      const end = first ?? work.at(-1);
      if (end !== undefined) longer = length - promptOf(end);
      if (first !== undefined)
        saved += costWith(first, { ...NO_USAGE, cacheRead: length }, prices) - costOf(first, prices);
      for (const row of later) saved += costWith(row, reading(row, longer), prices) - costOf(row, prices);
    }
    const last = calls.at(-1);
    if (last !== undefined) length = promptOf(last) + longer;
  }
  return saved;
}

/** How many requests it took to call tools so often: one reply may call several. */
function requestsReadingAgain(work: readonly SpendRow[]): number {
  let called = 0;
  const at = work.findIndex(({ tool_calls }) => {
    called += tool_calls;
    return called >= READ_AGAIN;
  });
  return at < 0 ? READ_AGAIN : Math.min(at + 1, READ_AGAIN);
}

/** What is left of a refused history serves nothing else than its summary. */
function summaryRequests(runs: readonly Run[], index: number): readonly SpendRow[] {
  const [run, next] = [runs[index], runs[index + 1]];
  if (run === undefined || next === undefined) return [];
  if (run.isPassage) return run.calls;
  return next.isPassage ? [] : run.calls.slice(-1);
}

const hasCost = (row: SpendRow, prices: PriceTable): boolean => hasPriceOf(row) && hasPrice(prices, row.model);

const costOf = (row: SpendRow, prices: PriceTable): number => cost(prices, row.model, usageOf(row));

const reading = (row: SpendRow, more: number): Usage => {
  const usage = usageOf(row);
  return { ...usage, cacheRead: Math.max(0, usage.cacheRead + more) };
};

/** The cost of the request with this prompt instead, as far as the window permits. */
function costWith(row: SpendRow, prompt: Usage, prices: PriceTable): number {
  const over = inputTokens(prompt) - (windowOf(prices, row.model) ?? Number.POSITIVE_INFINITY);
  const cacheRead = Math.max(0, prompt.cacheRead - Math.max(0, over));
  return cost(prices, row.model, { ...prompt, cacheRead, output: row.output_tokens });
}
