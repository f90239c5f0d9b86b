/** What handovers saved, compared with one conversation to the end. */
import { describe, expect, it } from 'vitest';
import { PRICES } from '../../../../../src/core/money/price/prices.ts';
import { pricesAt } from '../../../../../src/core/money/price/pricing.ts';
import { sessionCacheUse } from '../../../../../src/core/money/view/cacheUse.ts';
import { addCall, handoverDue, UNUSED } from '../../../../../src/core/session/handover.ts';
import type { SpendRow, Usage } from '../../../../../src/shared/money.ts';
import { microUsdOf } from '../../../../support/provider/prices.ts';
import { spendRow } from '../../../../support/state/builders.ts';

const SONNET = 'claude-sonnet-5-5';
const HAIKU = 'claude-haiku-5-5';

/** Calls of one conversation with a warm cache, by the lengths of their prompts. */
function warm(conversation: string, prompts: readonly number[], output = 100, read = 0): [string, Usage][] {
  return prompts.map((prompt, index) => {
    const cacheRead = index === 0 ? read : (prompts[index - 1] ?? 0);
    return [conversation, { input: 0, output, cacheRead, cacheWrite5m: prompt - cacheRead, cacheWrite1h: 0 }];
  });
}

function rowsOf(calls: readonly (readonly [string, Usage])[], model = SONNET): SpendRow[] {
  return calls.map(([conversation, usage], index) =>
    spendRow({
      id: index + 1,
      provider: 'anthropic',
      model,
      settled_micro_usd: microUsdOf(model, usage),
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_tokens: usage.cacheRead,
      cache_write_5m_tokens: usage.cacheWrite5m,
      cache_write_1h_tokens: usage.cacheWrite1h,
      conversation,
      tool_calls: 1,
    }),
  );
}

const useOf = (calls: readonly (readonly [string, Usage])[], model = SONNET) =>
  sessionCacheUse(rowsOf(calls, model), PRICES);

describe('the saving of a handover', () => {
  it('is the shorter history of the later requests without the summary and the fresh conversation', () => {
    const before = warm('0', [10_000, 30_000, 50_000, 70_000, 90_000]);
    const summary = warm('0', [90_000, 91_000], 1_500).slice(1);
    const after = warm('abc', [8_000, 9_000, 10_000, 11_000, 12_000, 13_000], 100, 6_000);
    const use = useOf([...before, ...summary, ...after]);
    // Read 0.1, stored 2.5, answered 10 micro-USD a token.
    const summarized = 90_000 * 0.1 + 1_000 * 2.5 + 1_500 * 10;
    const readAgain = (6_000 + 8_000 + 9_000 + 10_000) * 0.1 + (2_000 + 3_000) * 2.5 + 4 * 100 * 10;
    const first = 91_000 * 0.1 - 11_000 * 0.1 - 1_000 * 2.5;
    const later = first + (91_000 - 12_000) * 0.1;
    expect(use.saved).toBe(later - summarized - readAgain);
    expect(use.handovers).toBe(1);
    expect(use.tokens.handover).toBe(2_000);
  });

  it('counts the first four calls of tools as read again, also in one reply', () => {
    const before = warm('0', [10_000, 30_000, 50_000, 70_000, 90_000]);
    const after = warm('abc', [8_000, 11_000, 12_000, 13_000], 100, 6_000);
    const rows = rowsOf([...before, ...after]).map((row, index) => ({ ...row, tool_calls: index === 5 ? 4 : 1 }));
    const summarized = 70_000 * 0.1 + 20_000 * 2.5 + 100 * 10;
    const readAgain = 6_000 * 0.1 + 2_000 * 2.5 + 100 * 10;
    const first = 90_000 * 0.1 - 8_000 * 0.1 - 3_000 * 2.5;
    const later = first + 2 * (90_000 - 11_000) * 0.1;
    expect(sessionCacheUse(rows, PRICES).saved).toBe(later - summarized - readAgain);
  });

  it('is negative if the session ended soon after it', () => {
    const use = useOf([...warm('0', [10_000, 30_000, 50_000, 51_000], 800), ...warm('abc', [9_000])]);
    expect(use.handovers).toBe(1);
    expect(use.saved).toBeLessThan(0);
  });

  it('counts a refused history once: what was left of it, and then the fresh conversation', () => {
    const fresh = warm('abc', [9_000, 10_000, 11_000, 12_000, 13_000], 0);
    const calls = [...warm('0', [60_000, 80_000]), ...warm('stripped', [70_000], 1_500), ...fresh];
    const use = useOf(calls);
    expect(use.handovers).toBe(1);
    expect(use.tokens.handover).toBe(79_000);
    const stripped = 70_000 * 2.5 + 1_500 * 10;
    const readAgain = 12_000 * 2.5 + (9_000 + 10_000 + 11_000) * 0.1;
    expect(use.saved).toBe(80_000 * 0.1 - 12_000 * 0.1 - 1_000 * 2.5 - readAgain - stripped);
  });

  it('includes that a longer prompt would have been in a tier that costs more', () => {
    const before = warm('0', [40_000, 60_000, 80_000, 90_000, 95_000]);
    const after = warm(
      'abc',
      Array.from({ length: 8 }, (_, at) => 9_000 + 1_000 * at),
    );
    const calls = [...before, ...after];
    const more = useOf([...calls, ...warm('abc', [16_000, 17_000, 18_000, 19_000], 100, 16_000)], HAIKU).saved;
    const base = useOf(calls, HAIKU).saved;
    const each = (prompt: number, read: number) =>
      microUsdOf(HAIKU, { input: 0, output: 100, cacheRead: read, cacheWrite5m: prompt - read, cacheWrite1h: 0 });
    const added = [16_000, 17_000, 18_000, 19_000].map((prompt, at) => {
      const read = at === 0 ? 16_000 : prompt - 1_000;
      return each(prompt + 82_000, read + 82_000) - each(prompt, read);
    });
    expect(more - base).toBe(added.reduce((sum, one) => sum + one, 0));
  });

  it('never assumes a prompt beyond the window', () => {
    const small = { ...PRICES, windows: { [SONNET]: 100_000 } };
    const calls = [
      ...warm('0', [50_000, 90_000, 95_000]),
      ...warm('abc', [9_000, 10_000, 11_000, 12_000, 40_000, 60_000]),
    ];
    const [within, without] = [small, PRICES].map((prices) => sessionCacheUse(rowsOf(calls), prices).saved);
    expect(without).toBeGreaterThan(within ?? 0);
    expect((without ?? 0) - (within ?? 0)).toBeCloseTo(15_000 * 0.1, 0);
  });

  it('is not known if a call has no price', () => {
    const calls = [...warm('0', [50_000, 60_000]), ...warm('abc', [9_000])];
    expect(
      sessionCacheUse(
        rowsOf(calls).map((row) => ({ ...row, model: 'unheard-of' })),
        PRICES,
      ),
    ).toMatchObject({
      handovers: 1,
      estimates: 0,
    });
  });
});

/** A session that is handed over by the engine's rule, and the same work in one conversation. */
function simulated(rounds: number, result: number, model: string, readsAgain: number) {
  const [first, reply, summary, shared] = [6_000, 350, 1_500, 4_000];
  const fresh = { cachedShare: shared / first, summary, isSummarized: false };
  const calls: [string, Usage][] = [];
  let use = UNUSED;
  let stored = shared;
  let prompt = first;
  let name = '0';
  const send = (output: number): void => {
    calls.push([name, { input: 0, output, cacheRead: stored, cacheWrite5m: prompt - stored, cacheWrite1h: 0 }]);
    use = addCall(use, { prompt, cacheRead: stored, output });
    stored = prompt;
    prompt += output;
  };
  for (let done = 0, again = 0; done < rounds; ) {
    const price = pricesAt(PRICES, model, use.first);
    const limits = { tier: price?.upTo ?? null, window: null };
    if (handoverDue({ use, prices: price, fresh, next: prompt, limits }) !== null) {
      send(summary);
      [use, stored, prompt, name, again] = [UNUSED, shared, first + summary, `c${calls.length}`, readsAgain];
    }
    send(reply);
    prompt += result;
    if (again > 0) again--;
    else done++;
  }
  const one: [string, Usage][] = [];
  for (let done = 0, length = first, read = shared; done < rounds; done++) {
    one.push(['0', { input: 0, output: reply, cacheRead: read, cacheWrite5m: length - read, cacheWrite1h: 0 }]);
    read = length;
    length += reply + result;
  }
  const cost = (all: readonly [string, Usage][]): number =>
    all.reduce((sum, [, usage]) => sum + microUsdOf(model, usage), 0);
  return { calls, saved: cost(one) - cost(calls) };
}

describe('the estimate', () => {
  it.each([
    [200, 1_260, SONNET, 4, 0.98],
    [200, 3_000, SONNET, 4, 0.98],
    [200, 3_000, SONNET, 0, 0.6],
    [200, 1_260, HAIKU, 4, 0.98],
    [120, 2_000, 'claude-opus-5', 2, 0.7],
  ])(
    'of %i rounds of %i tokens on %s, with %i read again, is no more than the truth',
    (rounds, result, model, readsAgain, least) => {
      const { calls, saved } = simulated(rounds, result, model, readsAgain);
      const use = useOf(calls, model);
      expect(use.handovers).toBeGreaterThan(0);
      expect(use.saved).toBeGreaterThan(least * saved);
      expect(use.saved).toBeLessThan(1.02 * saved);
    },
  );
});
