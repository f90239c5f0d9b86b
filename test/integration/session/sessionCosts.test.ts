/** What the costs state of a real session, against the provider's bill. */
import { describe, expect, it } from 'vitest';
import { inputTokens } from '../../../src/core/model/usage/usage.ts';
import { PRICES } from '../../../src/core/money/price/prices.ts';
import { sessionCacheUse } from '../../../src/core/money/view/cacheUse.ts';
import { type Measured, measured, neverShortened, unitsOf, type Work } from '../../support/economy/measuredSession.ts';

const WORK: Work = { model: 'claude-sonnet-5-5', rounds: 12, size: 4_000, said: 50, thinking: 200 };

const useOf = ({ spends }: Measured) => sessionCacheUse(spends, PRICES);

describe('the costs of a session', () => {
  it('have nothing that was sent again while the cache is warm', async () => {
    const session = await measured(WORK);
    const { tokens, handovers, estimates } = useOf(session);
    expect(tokens).toMatchObject({ idle: 0, handover: 0, changed: 0, unstored: 0, unknown: 0 });
    expect(tokens.read + tokens.first).toBe(session.usages.reduce((sum, usage) => sum + inputTokens(usage), 0));
    expect({ handovers, estimates }).toEqual({ handovers: 0, estimates: 0 });
  });

  it('attribute a prompt that was written again to the pause before it', async () => {
    const session = await measured({ ...WORK, pauses: { seconds: 300, before: [6] } });
    const { tokens } = useOf(session);
    expect(session.rewrites.count).toBe(1);
    expect(tokens.changed).toBe(0);
    expect(Math.abs(tokens.idle - session.rewrites.tokens)).toBeLessThan(0.1 * tokens.idle);
  });

  it('count the handovers of a long session, and claim no more than they saved', async () => {
    const work = { ...WORK, rounds: 90, size: 6_000 };
    const session = await measured(work);
    const { tokens, handovers, saved } = useOf(session);
    expect(handovers).toBe(session.handovers);
    expect(handovers).toBeGreaterThan(1);
    expect(tokens).toMatchObject({ idle: 0, changed: 0 });
    expect(tokens.handover).toBeGreaterThan(0);
    const units = saved / (PRICES.models[work.model]?.[0]?.input ?? Number.NaN);
    const truth = neverShortened(work, session.usages) - unitsOf(work.model, session.usages);
    expect(units / truth).toBeGreaterThan(0.8);
    expect(units / truth).toBeLessThan(1.05);
  });

  it('count a refused history once', async () => {
    const session = await measured({ ...WORK, rounds: 30, window: 20_000 });
    expect(session.refused).not.toEqual([]);
    const { tokens, handovers } = useOf(session);
    expect(handovers).toBe(session.handovers);
    expect(tokens.changed).toBe(0);
  });
});
