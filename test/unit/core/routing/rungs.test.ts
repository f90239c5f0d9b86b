/** Where a feature starts, how it climbs, and what is said about it: over any record. */
import { describe, expect, test } from 'vitest';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import type { Observation } from '../../../../src/core/routing/evidence.ts';
import { chooseRung, type PastModel } from '../../../../src/core/routing/route.ts';
import { costPerPassed, MIN_RESULTS, pathFrom, rungsOf, startingRung } from '../../../../src/core/routing/rungs.ts';
import { fc } from '../../../support/suite/property.ts';

const LADDER = ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'] as const;
const [HAIKU, SONNET, OPUS] = LADDER;

const times = (count: number, one: Partial<Observation>): Observation[] =>
  Array.from({ length: count }, () => ({
    task: null,
    model: HAIKU,
    category: 'docs',
    passed: true,
    microUsd: 20_000,
    afterFailure: false,
    ...one,
  }));

const start = (seen: readonly Observation[], category = 'docs', attempts = 3) =>
  startingRung(rungsOf(LADDER, seen, category, PRICES), attempts);

const choose = (seen: readonly Observation[], past: readonly PastModel[] = [], attemptsLeft = 3 - past.length) =>
  chooseRung({ rungs: rungsOf(LADDER, seen, 'docs', PRICES), category: 'docs', past, attemptsLeft });

const failedAt = (model: string, number = 1): PastModel => ({ model, number, failed: true });

describe('the start', () => {
  test('is the cheapest model without results, and its reason says so', () => {
    expect(choose([])).toEqual({
      rung: 0,
      reason:
        'claude-haiku-5-5: no results for `docs` yet, so the cheapest model starts, and a failed attempt moves up',
    });
  });

  test('names the results and what other starts would cost', () => {
    const seen = [...times(9, {}), ...times(1, { passed: false }), ...times(4, { model: SONNET, microUsd: 110_000 })];
    const choice = choose(seen);
    expect(choice?.rung).toBe(0);
    expect(choice?.reason).toMatch(
      /^claude-haiku-5-5: 9 of 10 features of `docs` passed at \$0\.02 each; a passed feature would cost \$0\.0\d from here, one rung higher \(claude-sonnet-5-5\) \$0\.1\d$/,
    );
  });

  test('states how many of the results are of evals', () => {
    const failed = times(6, { task: 't', passed: false, microUsd: 100_000 });
    expect(choose([...failed, ...times(1, {})])?.reason).toMatch(
      /^claude-haiku-5-5: 1 of 7 features .* each \(6 from evals\);/,
    );
    expect(choose([...failed, ...times(12, { model: OPUS })])?.reason).toMatch(
      /^claude-sonnet-5-5: claude-haiku-5-5 passed 0 of 6 features of `docs` \(6 from evals\);/,
    );
  });

  test('skips a model that nearly always fails and costs a lot, in its category alone', () => {
    const seen = [
      ...times(12, { passed: false, microUsd: 100_000 }),
      ...times(12, { model: SONNET, microUsd: 110_000, afterFailure: true }),
    ];
    expect(start(seen)).toBe(1);
    expect(start(seen, 'parser')).toBe(0);
    expect(choose(seen)?.reason).toMatch(/^claude-sonnet-5-5: 12 of 12 features of `docs` passed at \$0\.11 each/);
  });

  test('is not moved by one success, nor by a few failures', () => {
    expect(start(times(1, { model: OPUS }))).toBe(0);
    expect(start(times(MIN_RESULTS - 1, { passed: false, microUsd: 500_000 }))).toBe(0);
  });

  test('counts what a weaker model passed for the stronger ones', () => {
    const seen = [
      ...times(9, {}),
      ...times(1, { passed: false }),
      ...times(1, { model: SONNET, passed: false, afterFailure: true }),
    ];
    const [, sonnet] = rungsOf(LADDER, seen, 'docs', PRICES);
    expect(sonnet?.passRate).toBeGreaterThan(0.8);
    expect(sonnet?.passRateAfter).toBeLessThan(0.5);
  });

  test('leaves out a model without a price, whatever its results', () => {
    const seen = times(50, { model: 'unknown', microUsd: 0 });
    const rungs = rungsOf(['unknown', ...LADDER], seen, 'docs', PRICES);
    expect(rungs.map(({ model }) => model)).toEqual(LADDER);
    expect(chooseRung({ rungs: [], category: 'docs', past: [], attemptsLeft: 3 })).toBeNull();
  });
});

describe('the climb', () => {
  test('moves up one model after a failure, and says which attempt failed', () => {
    expect(choose([], [failedAt(HAIKU)])).toEqual({
      rung: 1,
      reason: 'claude-sonnet-5-5: attempt 1 with claude-haiku-5-5 failed',
    });
  });

  test('uses the strongest model for the last attempt', () => {
    expect(choose([], [failedAt(HAIKU)], 1)).toEqual({
      rung: 2,
      reason: 'claude-opus-5-5: the last attempt uses the strongest model',
    });
    expect(choose([], [], 1)?.reason).toBe('claude-opus-5-5: the only attempt uses the strongest model');
    expect(choose([], [failedAt(OPUS)], 1)?.reason).toBe(
      'claude-opus-5-5: attempt 1 with claude-opus-5-5 failed, and no model is stronger',
    );
  });

  test('keeps the model of an attempt that only had a question', () => {
    expect(choose([], [{ model: SONNET, number: 1, failed: false }])).toMatchObject({ rung: 1 });
  });

  test('the path of failures ends on the strongest model', () => {
    expect(pathFrom(0, 3, 3)).toEqual([0, 1, 2]);
    expect(pathFrom(0, 3, 2)).toEqual([0, 2]);
    expect(pathFrom(1, 3, 4)).toEqual([1, 2, 2, 2]);
    expect(pathFrom(0, 3, 0)).toEqual([2]);
  });
});

describe('over any record', () => {
  const observation = fc.record({
    task: fc.constantFrom(null, 't', 'u'),
    model: fc.constantFrom(...LADDER, 'unknown'),
    category: fc.constantFrom('docs', 'Docs ', 'parser'),
    passed: fc.boolean(),
    microUsd: fc.nat(5_000_000),
    afterFailure: fc.boolean(),
  });
  const record = fc.array(observation, { maxLength: 60 });
  const past = fc.array(fc.record({ model: fc.constantFrom(...LADDER), failed: fc.boolean() }), { maxLength: 4 });

  test('an attempt never uses a weaker model than one before, a stronger one after a failure, and the strongest at last', () => {
    fc.assert(
      fc.property(record, past, fc.integer({ min: 0, max: 4 }), (seen, models, attemptsLeft) => {
        const before = models.map((one, at) => ({ ...one, number: at + 1 }));
        const choice = choose(seen, before, attemptsLeft);
        const rung = choice?.rung ?? -1;
        expect(choice?.reason.startsWith(`${LADDER[rung]}: `)).toBe(true);
        for (const one of before) {
          const used = LADDER.indexOf(one.model);
          expect(rung).toBeGreaterThanOrEqual(one.failed ? Math.min(used + 1, LADDER.length - 1) : used);
        }
        if (attemptsLeft <= 1) expect(rung).toBe(LADDER.length - 1);
      }),
    );
  });

  test('the order of the record does not matter, costs are finite, and too few results skip no model', () => {
    fc.assert(
      fc.property(record, fc.integer({ min: 1, max: 4 }), (seen, attempts) => {
        const rungs = rungsOf(LADDER, seen, 'docs', PRICES);
        for (const [at, rung] of rungs.entries()) {
          expect(rung.passRate).toBeGreaterThan(0);
          expect(rung.passRate).toBeLessThan(1);
          expect(Number.isFinite(costPerPassed(rungs, at, attempts))).toBe(true);
        }
        const at = startingRung(rungs, attempts);
        expect(startingRung(rungsOf(LADDER, seen.toReversed(), 'docs', PRICES), attempts)).toBe(at);
        for (const { results } of rungs.slice(0, at)) expect(results).toBeGreaterThanOrEqual(MIN_RESULTS);
      }),
    );
  });
});

test('a task of an eval counts once for each model, by its own result if there is one', () => {
  const of = (model: string) =>
    Array.from({ length: 10 }, (_, at) => times(1, { model, task: `t${at}`, passed: at < 5 })).flat();
  const rates = (...models: string[]) =>
    rungsOf(LADDER, models.flatMap(of), 'docs', PRICES).map(({ passRate }) => passRate.toFixed(2));
  expect(new Set(rates(HAIKU, SONNET, OPUS)).size).toBe(1);
  // Without results of its own, a stronger model would have passed what a weaker one passed.
  const [, , strongest] = rungsOf(LADDER, [HAIKU, SONNET].flatMap(of), 'docs', PRICES);
  const [, , fromOne] = rungsOf(LADDER, of(HAIKU), 'docs', PRICES);
  expect(strongest?.passRate).toBe(fromOne?.passRate);
});
