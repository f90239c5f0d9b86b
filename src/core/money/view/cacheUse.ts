/** Computes what the tokens of a session were paid for, from its settled calls: read from the cache, sent first, or sent again and why. */
import { CACHE_LIFETIME_MS, type SpendRow, TOKEN_USES, type TokenUse, type Usage } from '../../../shared/money.ts';
import { type PriceTable, pricesAt, type Rates } from '../price/pricing.ts';
import { hasPriceOf } from '../price/unpriced.ts';
import { isPlaced, promptOf, type Run, runsOf, usageOf } from './conversationRuns.ts';
import { handoverSaving } from './handoverSaving.ts';

/** Micro-USD. */
export interface CacheUse {
  calls: number;
  unpricedCalls: number;
  readonly tokens: Record<TokenUse, number>;
  /** Those of `tokens` that have no price. */
  readonly unpriced: Record<TokenUse, number>;
  /** Parts of the settled cost, which they add up to. */
  readonly microUsd: Record<TokenUse, number>;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  uncached: number;
  handovers: number;
  /** Savings by handovers, as far as they are estimated. */
  saved: number;
  /** How many estimates `saved` contains: without a handover, or without a price, there is none. */
  estimates: number;
}

const noUses = (): Record<TokenUse, number> => ({
  read: 0,
  first: 0,
  idle: 0,
  handover: 0,
  changed: 0,
  unstored: 0,
  output: 0,
  unknown: 0,
});

export function noCacheUse(): CacheUse {
  const none = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, uncached: 0, handovers: 0, saved: 0, estimates: 0 };
  return { calls: 0, unpricedCalls: 0, tokens: noUses(), unpriced: noUses(), microUsd: noUses(), ...none };
}

const COUNTS = [
  ...(['calls', 'unpricedCalls', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'uncached'] as const),
  ...(['handovers', 'saved', 'estimates'] as const),
];

/** Adds `more` to `sum`; `sign` -1 removes it again. */
export function addCacheUse(sum: CacheUse, more: CacheUse, sign: 1 | -1 = 1): void {
  for (const count of COUNTS) sum[count] += sign * more[count];
  for (const use of TOKEN_USES) {
    sum.tokens[use] += sign * more.tokens[use];
    sum.unpriced[use] += sign * more.unpriced[use];
    sum.microUsd[use] += sign * more.microUsd[use];
  }
}

/** `calls` are the settled calls of one session, in the order in which they were sent. */
export function sessionCacheUse(calls: readonly SpendRow[], prices: PriceTable): CacheUse {
  const sum = noCacheUse();
  for (const row of calls) {
    if (!isPlaced(row)) addCall(sum, row, unreadUses(row, [['unknown', Number.POSITIVE_INFINITY]]), prices);
  }
  for (const runs of runsOf(calls)) {
    for (const [index, run] of runs.entries()) addRun(sum, run, index > 0, prices);
    sum.handovers += runs.filter(({ isPassage }) => !isPassage).length - 1;
    const saved = handoverSaving(runs, prices);
    if (saved === null) continue;
    sum.saved += saved;
    sum.estimates++;
  }
  return sum;
}

/** Tokens that were not read from the cache, from the start of the prompt on. */
type UnreadUses = readonly (readonly [use: TokenUse, tokens: number])[];

function addRun(sum: CacheUse, { calls }: Run, isHandedOver: boolean, prices: PriceTable): void {
  let before: SpendRow | null = null;
  let lifetimeMs: number = CACHE_LIFETIME_MS['5m'];
  for (const row of calls) {
    const begins: TokenUse = isHandedOver ? 'handover' : 'first';
    const uses: UnreadUses =
      before === null ? [[begins, Number.POSITIVE_INFINITY]] : againUses(row, before, lifetimeMs);
    addCall(sum, row, unreadUses(row, uses), prices);
    if (row.cache_write_1h_tokens > 0) lifetimeMs = CACHE_LIFETIME_MS['1h'];
    else if (row.cache_write_5m_tokens > 0) lifetimeMs = CACHE_LIFETIME_MS['5m'];
    before = row;
  }
}

/** What of the request before was sent again without being read from the cache. The rest is new. */
function againUses(row: SpendRow, before: SpendRow, lifetimeMs: number): UnreadUses {
  const again = Math.min(promptOf(before), promptOf(row));
  const stored = Math.min(again, promptOf(before) - before.input_tokens);
  const read = row.cache_read_tokens;
  // The lifetime of an entry starts at its last use, which is the start of a request.
  const isExpired = Date.parse(row.at) - Date.parse(before.at) > lifetimeMs;
  return [
    [isExpired ? 'idle' : 'changed', Math.max(0, stored - read)],
    ['unstored', Math.max(0, again - Math.max(read, stored))],
    ['first', Number.POSITIVE_INFINITY],
  ];
}

/** Limits the parts to the tokens that there are. */
function unreadUses(row: SpendRow, uses: UnreadUses): UnreadUses {
  let left = promptOf(row) - row.cache_read_tokens;
  return uses.map(([use, wanted]) => {
    const tokens = Math.min(left, wanted);
    left -= tokens;
    return [use, tokens];
  });
}

function addCall(sum: CacheUse, row: SpendRow, unread: UnreadUses, prices: PriceTable): void {
  const priced = hasPriceOf(row);
  const usage = usageOf(row);
  sum.calls++;
  if (!priced) sum.unpricedCalls++;
  sum.cacheRead += usage.cacheRead;
  sum.cacheWrite5m += usage.cacheWrite5m;
  sum.cacheWrite1h += usage.cacheWrite1h;
  sum.uncached += usage.input;
  const uses: UnreadUses = [['read', usage.cacheRead], ...unread, ['output', usage.output]];
  const rates = priced ? pricesAt(prices, row.model, promptOf(row)) : null;
  for (const [use, tokens] of uses) {
    sum.tokens[use] += tokens;
    if (rates === null) sum.unpriced[use] += tokens;
  }
  const weights = rates === null ? [] : weightsOf(usage, unread, rates);
  const parts = apportioned(row.settled_micro_usd, weights);
  // Without a price, or without a report of the usage, the purpose of an amount is not known.
  if (parts === null) sum.microUsd.unknown += row.settled_micro_usd;
  else for (const [at, [use]] of uses.entries()) sum.microUsd[use] += parts[at] ?? 0;
}

/** The price of each part. What is sent again precedes what is new, and what is stored precedes what is not. */
function weightsOf(usage: Usage, unread: UnreadUses, rates: Rates): number[] {
  const stored = [
    { left: usage.cacheWrite1h, rate: rates.writeHour },
    { left: usage.cacheWrite5m, rate: rates.write },
    { left: usage.input, rate: rates.input },
  ];
  const priceOf = (tokens: number): number => {
    let open = tokens;
    let price = 0;
    for (const piece of stored) {
      const taken = Math.min(open, piece.left);
      piece.left -= taken;
      open -= taken;
      price += taken * piece.rate;
    }
    return price;
  };
  return [usage.cacheRead * rates.read, ...unread.map(([, tokens]) => priceOf(tokens)), usage.output * rates.output];
}

/** Whole parts of `amount` in proportion to `weights`, which add up to it. Null if no weight is positive. */
function apportioned(amount: number, weights: readonly number[]): number[] | null {
  const total = weights.reduce((sum, one) => sum + one, 0);
  if (total <= 0) return null;
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const upTo = Math.round((amount * passed) / total);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
