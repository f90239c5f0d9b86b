/** Whose each line of the provider's bill is: a call of its own, of that model, at that price, which was open when it was billed. */
import type { BilledCall } from '../provider/messagesServer.ts';

/** What the ledger has for one call. */
export interface Claim {
  readonly model: string;
  /** What it was settled for, by `priced`; null: nobody heard its end, and the provider may have billed up to what is reserved. */
  readonly price: string | null;
  readonly reserved: number;
  /** Open from then to then, by the clock of the machine. */
  readonly from: number;
  readonly to: number;
}

/** Between the clock of an event and that of the bill: both are read before the line is written. */
const SLACK_MS = 100;

export function priced(model: string, usage: BilledCall['usage']): string {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage;
  return [model, input, output, cacheRead, cacheWrite5m, cacheWrite1h].join(' ');
}

function fits(billed: BilledCall, { model, price, reserved, from, to }: Claim): boolean {
  if (billed.at < from - SLACK_MS || billed.at > to + SLACK_MS) return false;
  return price === null
    ? billed.model === model && billed.microUsd <= reserved
    : priced(billed.model, billed.usage) === price;
}

/** As many pairs as there can be; and no settled call goes without one so that another line of the bill may have it. */
export function pairsOf<C extends Claim>(bill: readonly BilledCall[], calls: readonly C[]): Map<C, BilledCall> {
  const billOf = new Map<C, BilledCall>();
  const free = new Set(bill.toSorted((a, b) => a.at - b.at));
  // Of intervals, the one that ends first takes the first point that it can: nothing leaves fewer without.
  for (const call of calls.filter(({ price }) => price !== null).toSorted((a, b) => a.to - b.to)) {
    const [found] = free.values().filter((billed) => fits(billed, call));
    if (found === undefined) continue;
    free.delete(found);
    billOf.set(call, found);
  }
  const place = (billed: BilledCall, seen: Set<C>): boolean => {
    for (const call of calls) {
      if (seen.has(call) || !fits(billed, call)) continue;
      seen.add(call);
      const other = billOf.get(call);
      if (other !== undefined && !place(other, seen)) continue;
      billOf.set(call, billed);
      return true;
    }
    return false;
  };
  for (const billed of free) place(billed, new Set());
  return billOf;
}
