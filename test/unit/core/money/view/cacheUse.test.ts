/** What tokens were paid for, by the settled calls of a session. */
import { describe, expect, it } from 'vitest';
import { PRICES } from '../../../../../src/core/money/price/prices.ts';
import { type CacheUse, sessionCacheUse } from '../../../../../src/core/money/view/cacheUse.ts';
import { type SpendRow, TOKEN_USES, type TokenUse } from '../../../../../src/shared/money.ts';
import { microUsdOf } from '../../../../support/provider/prices.ts';
import { START_MS, spendRow } from '../../../../support/state/builders.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';

const MODEL = 'claude-sonnet-5-5';
const MINUTE = 60_000;

interface Call {
  readonly read?: number;
  readonly write?: number;
  readonly hour?: number;
  readonly input?: number;
  readonly output?: number;
  /** Minutes after the start. */
  readonly minute?: number;
  readonly in?: string | null;
  readonly model?: string;
}

function rows(calls: readonly Call[]): SpendRow[] {
  return calls.map(
    ({ read = 0, write = 0, hour = 0, input = 0, output = 10, minute = 0, in: name = '0', model = MODEL }, index) => {
      const usage = { input, output, cacheRead: read, cacheWrite5m: write, cacheWrite1h: hour };
      return spendRow({
        id: index + 1,
        provider: 'anthropic',
        model,
        settled_micro_usd: microUsdOf(model, usage),
        input_tokens: input,
        output_tokens: output,
        cache_read_tokens: read,
        cache_write_5m_tokens: write,
        cache_write_1h_tokens: hour,
        conversation: name,
        at: new Date(START_MS + minute * MINUTE).toISOString(),
      });
    },
  );
}

/** Tokens by use, without those that are 0. */
const tokensOf = ({ tokens }: CacheUse): Partial<Record<TokenUse, number>> =>
  Object.fromEntries(Object.entries(tokens).filter(([, count]) => count !== 0));

const useOf = (calls: readonly Call[]): CacheUse => sessionCacheUse(rows(calls), PRICES);

const count = fc.nat({ max: 200_000 });
const anyCall = fc.record({
  provider: fc.constantFrom('anthropic' as const, 'simulated' as const, 'vscode-lm' as const, 'own-account' as const),
  model: fc.constantFrom(MODEL, 'claude-haiku-5-5', 'unheard-of'),
  settled_micro_usd: fc.nat({ max: 5_000_000 }),
  input_tokens: count,
  output_tokens: count,
  cache_read_tokens: count,
  cache_write_5m_tokens: count,
  cache_write_1h_tokens: fc.constantFrom(0, 0, 7_000),
  conversation: fc.constantFrom(null, '0', 'abc', 'def', 'call_1/0', 'call_1/fed'),
  minute: fc.nat({ max: 600 }),
});
const anySession = fc
  .array(anyCall, { maxLength: 30 })
  .map((calls) =>
    calls.map(({ minute, ...call }, index) =>
      spendRow({ ...call, id: index + 1, at: new Date(START_MS + minute * MINUTE).toISOString() }),
    ),
  );

describe('the parts', () => {
  it('add up to the tokens and the settled cost of the calls', () => {
    fc.assert(
      fc.property(anySession, (spends) => {
        const use = sessionCacheUse(spends, PRICES);
        const sum = (of: (row: SpendRow) => number): number => spends.reduce((total, row) => total + of(row), 0);
        const all = (of: Record<TokenUse, number>): number => TOKEN_USES.reduce((total, one) => total + of[one], 0);
        expect(use.tokens.read).toBe(sum((row) => row.cache_read_tokens));
        expect(use.tokens.output).toBe(sum((row) => row.output_tokens));
        expect(all(use.tokens) - use.tokens.output).toBe(
          use.cacheRead + use.cacheWrite5m + use.cacheWrite1h + use.uncached,
        );
        expect(use.uncached).toBe(sum((row) => row.input_tokens));
        expect(use.cacheWrite5m).toBe(sum((row) => row.cache_write_5m_tokens));
        expect(use.cacheWrite1h).toBe(sum((row) => row.cache_write_1h_tokens));
        expect(all(use.microUsd)).toBe(sum((row) => row.settled_micro_usd));
        for (const name of TOKEN_USES) {
          expect(use.tokens[name]).toBeGreaterThanOrEqual(0);
          expect(use.microUsd[name]).toBeGreaterThanOrEqual(0);
        }
        expect(use.calls).toBe(spends.length);
      }),
      { numRuns: amount({ short: 200, long: 20_000 }) },
    );
  });

  it('of one conversation with a warm cache contain nothing that was sent again', () => {
    const growth = fc.array(fc.record({ added: fc.integer({ min: 1, max: 60_000 }), tail: fc.nat({ max: 20 }) }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(growth, fc.nat({ max: 8_000 }), (rounds, shared) => {
        let stored = shared;
        const calls = rounds.map(({ added }) => {
          const call = { read: stored, write: added };
          stored += added;
          return call;
        });
        const { tokens, handovers, estimates } = useOf(calls);
        expect(tokens.idle + tokens.changed + tokens.unstored + tokens.handover + tokens.unknown).toBe(0);
        expect({ handovers, estimates }).toEqual({ handovers: 0, estimates: 0 });
      }),
      { numRuns: amount({ short: 100, long: 5_000 }) },
    );
  });

  it('have the prices of the table', () => {
    const use = useOf([
      { write: 10_000, output: 100 },
      { read: 10_000, write: 500, output: 200 },
    ]);
    expect(tokensOf(use)).toEqual({ first: 10_500, read: 10_000, output: 300 });
    expect(use.microUsd).toMatchObject({ first: 10_500 * 2.5, read: 10_000 * 0.1, output: 300 * 10 });
  });
});

describe('what was sent again', () => {
  it('is idle if the entries had expired since the request before', () => {
    const use = useOf([{ write: 10_000 }, { write: 10_500, minute: 6 }]);
    expect(tokensOf(use)).toMatchObject({ idle: 10_000, first: 10_500 });
    expect(use.microUsd.idle).toBe(25_000);
  });

  it('is changed if they had not', () => {
    expect(tokensOf(useOf([{ write: 10_000 }, { read: 4_000, write: 6_500, minute: 4 }]))).toMatchObject({
      changed: 6_000,
      first: 10_500,
    });
  });

  it('expires after an hour if the request before stored it for an hour', () => {
    const calls = (minute: number) => useOf([{ hour: 10_000 }, { hour: 10_500, minute }]).tokens;
    expect(calls(59)).toMatchObject({ changed: 10_000, idle: 0 });
    expect(calls(61)).toMatchObject({ changed: 0, idle: 10_000 });
    // A request that stores nothing refreshes what it reads.
    const kept = useOf([{ hour: 10_000 }, { read: 10_000, minute: 30 }, { hour: 10_000, minute: 70 }]).tokens;
    expect(kept).toMatchObject({ changed: 10_000, idle: 0 });
  });

  it('was never stored if the provider has no cache, or the prompt was too short for it', () => {
    const use = useOf([{ input: 900 }, { input: 1_100, minute: 1 }]);
    expect(tokensOf(use)).toMatchObject({ unstored: 900, first: 1_100 });
    expect(use.microUsd).toMatchObject({ unstored: 1_800, first: 2_200 });
  });

  it('is not known without a conversation, as for the calls of another agent', () => {
    const use = useOf([
      { write: 5_000, in: null },
      { read: 5_000, write: 300, in: null },
    ]);
    expect(tokensOf(use)).toEqual({ unknown: 5_300, read: 5_000, output: 20 });
  });

  it('by a session within the session is no handover', () => {
    const use = useOf([
      { write: 9_000 },
      { write: 2_000, in: 'call_7/0' },
      { read: 2_000, write: 100, in: 'call_7/0' },
      { read: 9_000, write: 600 },
    ]);
    expect(tokensOf(use)).toEqual({ first: 11_700, read: 11_000, output: 40 });
    expect(use.handovers).toBe(0);
  });

  it('under another model is changed: the history is no shorter', () => {
    const use = useOf([{ write: 9_000 }, { write: 9_200, in: 'abc', model: 'claude-opus-5-5', minute: 1 }]);
    expect(tokensOf(use)).toMatchObject({ changed: 9_000, first: 9_200 });
    expect(use.handovers).toBe(0);
  });

  it('costs nothing without a price, and is counted', () => {
    const spends = rows([{ input: 900 }, { input: 1_100 }]).map((row) => ({
      ...row,
      provider: 'vscode-lm' as const,
      settled_micro_usd: 0,
    }));
    const use = sessionCacheUse(spends, PRICES);
    expect(use).toMatchObject({ calls: 2, unpricedCalls: 2, tokens: { unstored: 900 }, estimates: 0 });
    expect(Object.values(use.microUsd).every((micro) => micro === 0)).toBe(true);
  });

  it('has an amount that a person set as a cost of unknown purpose', () => {
    const [row] = rows([{ output: 0 }]);
    const use = sessionCacheUse([{ ...row!, settled_micro_usd: 7_000 }], PRICES);
    expect(use.microUsd.unknown).toBe(7_000);
  });
});
