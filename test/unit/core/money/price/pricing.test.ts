import { describe, expect, it } from 'vitest';
import { PRICES } from '../../../../../src/core/money/price/prices.ts';
import { type CacheWrite, cost, longestAnswer, reservation } from '../../../../../src/core/money/price/pricing.ts';
import type { Usage } from '../../../../../src/shared/money.ts';
import { fc } from '../../../../support/suite/property.ts';

const NONE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const MODELS = Object.keys(PRICES.models);

describe('cost', () => {
  it.each([
    ['claude-opus-5-5', { ...NONE, input: 1_000_000 }, 4_000_000],
    ['claude-opus-5-5', { ...NONE, output: 1_000_000 }, 20_000_000],
    ['claude-opus-5-5', { ...NONE, cacheRead: 1_000_000 }, 200_000],
    ['claude-sonnet-5-5', { ...NONE, cacheWrite5m: 1_000_000 }, 2_500_000],
    ['claude-sonnet-5-5', { ...NONE, cacheWrite1h: 1_000_000 }, 4_000_000],
    ['claude-fable-5-1', { ...NONE, input: 1, output: 1 }, 60],
    ['claude-opus-5', { ...NONE, cacheRead: 1 }, 1],
    ['claude-haiku-5-5', { ...NONE, input: 100_000, output: 1000 }, 10_500],
    ['claude-haiku-5-5', { ...NONE, input: 100_001, output: 1000 }, 52_501],
    ['claude-haiku-5-5', { ...NONE, input: 1, cacheRead: 100_000 }, 5_001],
    ['claude-haiku-5-5', { ...NONE, cacheWrite5m: 7 }, 1],
    ['claude-sonnet-5-5-20261101', { ...NONE, output: 3 }, 30],
    ['claude-sonnet-5-5-latest', { ...NONE, output: 3 }, 30],
  ] as const)('%s %o is %i micro-USD', (model, usage, micro) => {
    expect(cost(PRICES, model, usage)).toBe(micro);
  });

  it.each(['claude-opus-6', 'claude-opus-5-5-x', 'opus', '', '__proto__', 'toString'])('refuses %j', (model) => {
    expect(() => cost(PRICES, model, NONE)).toThrow(expect.objectContaining({ code: 'MODEL_UNPRICED' }));
    expect(() => reservation(PRICES, model, 1, 1)).toThrow(expect.objectContaining({ code: 'MODEL_UNPRICED' }));
  });
});

describe('reservation', () => {
  it('takes the upper tier as soon as the prompt may be in it', () => {
    expect(reservation(PRICES, 'claude-haiku-5-5', 100_000, 0, 'none')).toBe(10_000);
    expect(reservation(PRICES, 'claude-haiku-5-5', 100_001, 0, 'none')).toBe(50_001);
  });

  it('never is below what any usage within its bounds costs', () => {
    const tokens = fc.integer({ min: 0, max: 120_000 });
    const usages = fc.record({
      input: tokens,
      output: tokens,
      cacheRead: tokens,
      cacheWrite5m: tokens,
      cacheWrite1h: tokens,
    });
    fc.assert(
      fc.property(fc.constantFrom(...MODELS), usages, tokens, tokens, (model, raw, moreInput, moreOutput) => {
        const write: CacheWrite = raw.cacheWrite1h % 3 === 0 ? 'none' : raw.cacheWrite1h % 3 === 1 ? '5m' : '1h';
        const usage = {
          ...raw,
          cacheWrite5m: write === 'none' ? 0 : raw.cacheWrite5m,
          cacheWrite1h: write === '1h' ? raw.cacheWrite1h : 0,
        };
        const prompt = usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
        const reserved = reservation(PRICES, model, prompt + moreInput, usage.output + moreOutput, write);
        expect(reserved).toBeGreaterThanOrEqual(cost(PRICES, model, usage));
        expect(Number.isSafeInteger(reserved)).toBe(true);
      }),
    );
  });
});

describe('the longest answer', () => {
  it('is reserved within the amount, and one token more is not', () => {
    const write = fc.constantFrom<CacheWrite>('none', '5m', '1h');
    const prompt = fc.integer({ min: 0, max: 200_000 });
    const amount = fc.integer({ min: 0, max: 3_000_000 });
    fc.assert(
      fc.property(fc.constantFrom(...MODELS), prompt, amount, write, (model, tokens, microUsd, cacheWrite) => {
        const longest = longestAnswer(PRICES, model, tokens, microUsd, cacheWrite);
        const costs = (answer: number): number => reservation(PRICES, model, tokens, answer, cacheWrite);
        if (longest >= 0) expect(costs(longest)).toBeLessThanOrEqual(microUsd);
        else expect(costs(0)).toBeGreaterThan(microUsd);
        expect(costs(Math.max(0, longest + 1))).toBeGreaterThan(microUsd);
      }),
    );
  });

  it('of a model whose answers cost nothing has no end', () => {
    const table = { version: 'v', models: { free: [{ upTo: null, input: 1, output: 0, cacheRead: 0 }] } };
    expect(longestAnswer(table, 'free', 10, 10, 'none')).toBe(Number.POSITIVE_INFINITY);
    expect(longestAnswer(table, 'free', 10, 9, 'none')).toBe(Number.NEGATIVE_INFINITY);
  });
});
