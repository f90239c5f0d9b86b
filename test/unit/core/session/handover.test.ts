import { describe, expect, it } from 'vitest';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import { pricesAt, windowOf } from '../../../../src/core/money/price/pricing.ts';
import {
  addCall,
  type ConversationUse,
  type HandoverCase,
  handoverDue,
  isCheaperToContinue,
  UNUSED,
} from '../../../../src/core/session/handover.ts';
import { fc } from '../../../support/suite/property.ts';

const SONNET = { write: 1.25, read: 0.05, output: 5 };
const FRESH = { cachedShare: 0.75, summary: 1_500, isSummarized: false };
const NO_LIMITS = { tier: null, window: null };

/** A conversation whose rounds add as much each, read from a warm cache unless their number is in `cold`. */
function rounds(count: number, given: { first: number; result: number; reply: number; cold?: readonly number[] }) {
  let use: ConversationUse = UNUSED;
  for (let n = 0; n < count; n++) {
    const prompt = n === 0 ? given.first : use.size + given.result;
    use = addCall(use, { prompt, cacheRead: given.cold?.includes(n) ? 0 : use.size, output: given.reply });
  }
  return use;
}

const caseOf = (use: ConversationUse, more: Partial<HandoverCase> = {}): HandoverCase => ({
  use,
  prices: SONNET,
  fresh: FRESH,
  next: use.size,
  limits: NO_LIMITS,
  ...more,
});

/** The number of rounds after which a conversation is handed over; null if never within 400. */
function lasts(given: Parameters<typeof rounds>[1], more: Partial<HandoverCase> = {}): number | null {
  for (let n = 1; n <= 400; n++) if (handoverDue(caseOf(rounds(n, given), more)) !== null) return n;
  return null;
}

describe('a handover', () => {
  it('is due once rereading has cost more than it does', () => {
    const given = { first: 6_000, result: 1_260, reply: 350 };
    const due = lasts(given) ?? 0;
    expect(due).toBeGreaterThan(15);
    expect(due).toBeLessThan(60);
    expect(handoverDue(caseOf(rounds(due, given)))).toBe('reread');
  });

  it('comes later where rereading is cheaper, and sooner where results are larger', () => {
    const given = { first: 6_000, result: 1_260, reply: 350 };
    const often = lasts(given) ?? 0;
    expect(lasts(given, { prices: { ...SONNET, read: 0.025 } })).toBeGreaterThan(often);
    expect(lasts({ ...given, result: 5_000 })).toBeLessThan(often);
  });

  it('counts a cache that expired', () => {
    const given = { first: 6_000, result: 1_260, reply: 350 };
    expect(lasts({ ...given, cold: [12, 16] })).toBeLessThan(lasts(given) ?? 0);
  });

  it('is due before a prompt costs more a token, or does not fit, whatever rereading has cost', () => {
    const use = rounds(20, { first: 6_000, result: 300, reply: 50 });
    expect(handoverDue(caseOf(use))).toBeNull();
    expect(handoverDue(caseOf(use, { next: 90_001, limits: { tier: 100_000, window: null } }))).toBe('tier');
    expect(handoverDue(caseOf(use, { next: 90_000, limits: { tier: 100_000, window: null } }))).toBeNull();
    expect(handoverDue(caseOf(use, { prices: null, next: 90_001, limits: { tier: null, window: 100_000 } }))).toBe(
      'window',
    );
  });

  it('is never due without a price and a limit, nor in the rounds that a fresh conversation needs to read again', () => {
    fc.assert(
      fc.property(
        fc.nat(5_000),
        fc.integer({ min: 1, max: 60_000 }),
        fc.nat(2_000),
        fc.nat(200),
        (first, result, reply, count) => {
          const use = rounds(count, { first, result, reply });
          expect(handoverDue(caseOf(use, { prices: null }))).toBeNull();
          const early = rounds(Math.min(count, 4), { first, result, reply });
          expect(handoverDue(caseOf(early, { next: 1e9, limits: { tier: 1, window: 1 } }))).toBeNull();
        },
      ),
    );
  });

  it('never costs more than a conversation that is kept, but for one handover', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 8_000 }),
        fc.integer({ min: 100, max: 15_000 }),
        fc.integer({ min: 20, max: 1_000 }),
        fc.integer({ min: 5, max: 250 }),
        (first, result, reply, count) => {
          const given = { first, result, reply };
          const kept = total(given, count, false);
          const handed = total(given, count, true);
          expect(handed.cost).toBeLessThanOrEqual(kept.cost + handed.dearest);
        },
      ),
    );
  });
});

/** The cost of `count` rounds, with the summary and the four rounds of reading again that each handover takes. */
function total(given: Parameters<typeof rounds>[1], count: number, handsOver: boolean) {
  let use: ConversationUse = UNUSED;
  let cost = 0;
  let dearest = 0;
  let isSummarized = false;
  const call = (prompt: number, cached: number, output: number): void => {
    const read = Math.min(cached, prompt);
    cost += SONNET.read * read + SONNET.write * (prompt - read) + SONNET.output * output;
    use = addCall(use, { prompt, cacheRead: read, output });
  };
  for (let left = count; left > 0; left--) {
    if (handsOver && handoverDue(caseOf(use, { fresh: { ...FRESH, isSummarized } })) !== null) {
      const before = cost;
      call(use.size + 200, use.size, FRESH.summary);
      use = UNUSED;
      isSummarized = true;
      const first = given.first + FRESH.summary;
      call(first, given.first * FRESH.cachedShare, given.reply);
      for (let n = 1; n < 4; n++) call(use.size + given.result, use.size, given.reply);
      dearest = Math.max(dearest, cost - before);
    }
    const isFirst = use.calls === 0;
    call(isFirst ? given.first : use.size + given.result, isFirst ? 0 : use.size, given.reply);
  }
  return { cost, dearest };
}

describe('another assignment', () => {
  it('continues a short conversation and leaves a long one', () => {
    const given = { first: 6_000, result: 1_260, reply: 350 };
    expect(isCheaperToContinue(caseOf(UNUSED), 5)).toBe(true);
    expect(isCheaperToContinue(caseOf(rounds(6, given)), 5)).toBe(true);
    expect(isCheaperToContinue(caseOf(rounds(80, given)), 5)).toBe(false);
    expect(isCheaperToContinue(caseOf(rounds(80, given), { prices: null }), 5)).toBe(true);
  });
});

it('every model of the price table has prices at any length and a known window', () => {
  for (const model of Object.keys(PRICES.models)) {
    for (const prompt of [0, 100_000, 900_000]) expect(pricesAt(PRICES, model, prompt)).not.toBeNull();
    expect(windowOf(PRICES, model)).toBeGreaterThan(100_000);
  }
  expect(pricesAt(PRICES, 'claude-haiku-5-5', 100_000)?.upTo).toBe(100_000);
  expect(pricesAt(PRICES, 'unknown', 1)).toBeNull();
});
