/** Long sessions against a provider that refuses what the real one refuses, and bills what it bills. */
import { describe, expect, it } from 'vitest';
import { inputTokens } from '../../../src/core/model/usage.ts';
import { measured, neverShortened, unitsOf, type Work } from '../../support/economy/measuredSession.ts';

const WORK: Work = { model: 'claude-sonnet-5-5', rounds: 12, size: 4_000, said: 50, thinking: 200 };

describe('a long session', () => {
  it('that thinks is never refused, and is billed for each token of its thinking', async () => {
    const silent = await measured({ ...WORK, thinking: null });
    const thinking = await measured(WORK);
    expect(thinking).toMatchObject({ result: { outcome: 'answered', turns: 13 }, refused: [] });
    const output = (of: typeof silent): number => of.usages.reduce((sum, usage) => sum + usage.output, 0);
    expect(output(thinking) - output(silent)).toBe(13 * 200);
  });

  it('costs by its first rounds what it is billed, if nothing of its history goes', async () => {
    const { usages, handovers } = await measured(WORK);
    expect(handovers).toBe(0);
    const billed = unitsOf(WORK.model, usages);
    expect(neverShortened(WORK, usages) / billed).toBeGreaterThan(0.97);
    expect(neverShortened(WORK, usages) / billed).toBeLessThan(1.03);
  });

  it('writes its prompt to the cache again after a pause of more than five minutes', async () => {
    const { usages, rewrites } = await measured({ ...WORK, pauses: { seconds: 300, before: [6] } });
    expect(rewrites.count).toBe(1);
    expect(rewrites.tokens).toBeGreaterThan(0.9 * inputTokens(usages[5] as (typeof usages)[number]));
    const short = await measured({ ...WORK, pauses: { seconds: 270, before: [6] } });
    expect(short.rewrites).toEqual({ count: 0, tokens: 0 });
  });

  it('does not end when a prompt is longer than the provider takes', async () => {
    const { result, refused } = await measured({ ...WORK, rounds: 30, window: 20_000 });
    expect(refused[0]).toMatch(/^prompt is too long: \d+ tokens > 20000 maximum$/);
    expect(result).toMatchObject({ outcome: 'answered' });
  });
});
