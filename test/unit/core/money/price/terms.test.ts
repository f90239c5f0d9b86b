/** Which price applies: the user's own, then the built-in one, then the catalogue's; nothing is free that nobody declared free. */
import { expect, it } from 'vitest';
import { withPreset } from '../../../../../src/adapters/userData/knownConnections.ts';
import { CATALOGUE } from '../../../../../src/core/money/price/catalogue.ts';
import { cost, reservation } from '../../../../../src/core/money/price/pricing.ts';
import { type Catalogue, pricesWith, termsOf } from '../../../../../src/core/money/price/terms.ts';
import { type Connection, connectionEntry, type NewConnection } from '../../../../../src/shared/model/connections.ts';
import { fc } from '../../../../support/suite/property.ts';

const of = (name: string, entry: NewConnection = {}): Connection => {
  const whole = withPreset(name, connectionEntry.parse(entry));
  if ('lacks' in whole) throw new Error(whole.lacks);
  return whole;
};

it.each([
  [
    'the user’s own price',
    of('openai', { prices: { 'gpt-5': { input: 7, output: 8 } } }),
    'gpt-5',
    { input: 7, output: 8, cacheRead: 7 },
    'your connections.yaml',
  ],
  ['the built-in price', of('vercel'), 'claude-opus-5-5', { input: 4, output: 20 }, 'Autonomous 2026-11'],
  [
    'a tenth more in a region of Vertex AI',
    of('vertex', { baseUrl: 'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1' }),
    'claude-opus-5-5',
    { input: 4.4, output: 22 },
    'a tenth for the region',
  ],
  [
    'the listed price in Vertex AI’s global location',
    of('vertex', { baseUrl: 'https://aiplatform.googleapis.com/v1/projects/p/locations/global' }),
    'claude-opus-5-5',
    { input: 4, output: 20 },
    'Autonomous 2026-11',
  ],
  ['the catalogue’s price', of('openai'), 'gpt-5', { input: 1.25, output: 10, cacheRead: 0.125 }, 'genai-prices'],
  [
    'what the user declared free',
    of('ollama', { free: true }),
    'qwen3:8b',
    { input: 0, output: 0 },
    'your connections.yaml',
  ],
])('%s', (_, connection, model, tier, source) => {
  const terms = termsOf(connection, model, CATALOGUE);
  expect(terms.tiers?.[0]).toMatchObject(tier);
  expect(terms.source).toContain(source);
});

it.each([
  [of('ollama'), 'qwen3:8b'],
  [of('openai'), 'gpt-5-of-tomorrow'],
  [of('openai'), 'constructor'],
])('%o has no price for %s', (connection, model) => {
  expect(termsOf(connection, model, CATALOGUE)).toMatchObject({ tiers: null, window: null });
});

it('has no zero and no missing number in the catalogue', () => {
  const entries = Object.values(CATALOGUE.models).flatMap((models) => Object.entries(models));
  expect(entries.length).toBeGreaterThan(800);
  for (const [name, { tiers }] of entries) {
    for (const [, input, output, read, write] of tiers) {
      const rates = [input, output, read, write ?? 1];
      expect(
        rates.every((rate) => typeof rate === 'number' && rate >= 0) && Number(input) > 0 && Number(output) > 0,
        name,
      ).toBe(true);
    }
    expect(tiers.at(-1)?.[0], name).toBeNull();
  }
});

it('a reservation is never below the cost, whatever the tiers, writes and reads are', () => {
  const rate = fc.double({ min: 0, max: 100, noNaN: true });
  const tier = fc.record({
    input: rate,
    output: rate,
    cacheRead: rate,
    cacheWrite: fc.option(rate, { nil: undefined }),
  });
  const tokens = fc.integer({ min: 0, max: 300_000 });
  fc.assert(
    fc.property(tier, tier, tokens, tokens, tokens, tokens, (short, long, input, read, written, output) => {
      const tiers = [
        { upTo: 100_000, ...short },
        { upTo: null, ...long },
      ];
      const table = pricesWith({ 'x/m': { tiers, window: null, source: '' } });
      const usage = { input, cacheRead: read, cacheWrite5m: written, cacheWrite1h: 0, output };
      const kind = written > 0 && short.cacheWrite === undefined && long.cacheWrite === undefined ? '5m' : 'none';
      const isUnmarked =
        kind === 'none' && written > 0 && (short.cacheWrite === undefined || long.cacheWrite === undefined);
      fc.pre(!isUnmarked);
      const most = reservation(table, 'x/m', input + read + written, output, kind);
      expect(cost(table, 'x/m', usage)).toBeLessThanOrEqual(most + 1);
    }),
  );
});

it('of a catalogue that halves its prices, a filed job keeps the price that it was filed with', () => {
  const at = (input: number): Catalogue => ({
    source: 's',
    date: 'd',
    models: { openai: { m: { window: null, tiers: [[null, input, input, input]] } } },
  });
  const filed = { 'openai/m': termsOf(of('openai'), 'm', at(8)) };
  const usage = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  expect(cost(pricesWith(filed), 'openai/m', usage)).toBe(8_000_000);
  expect(termsOf(of('openai'), 'm', at(4)).tiers?.[0]?.input).toBe(4);
});
