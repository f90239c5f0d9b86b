/** Lists of models in the forms that servers have: nothing is free, and nothing gets cheaper by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepList, keptLists } from '../../../../../src/adapters/userData/modelLists.ts';
import { keptList, listedModels, priceChanges } from '../../../../../src/core/money/price/listedModels.ts';
import { cost } from '../../../../../src/core/money/price/pricing.ts';
import type { PriceTier } from '../../../../../src/shared/model/terms.ts';
import type { Usage } from '../../../../../src/shared/money.ts';
import { fc } from '../../../../support/suite/property.ts';

const UNUSED: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const tier = (input: number, output: number, more: object = {}) => ({
  upTo: null,
  input,
  output,
  cacheRead: input,
  ...more,
});

it.each([
  [
    'OpenRouter’s',
    {
      data: [
        {
          id: 'a/b',
          context_length: 1_000,
          pricing: {
            prompt: '0.000002',
            completion: '0.00001',
            input_cache_read: '0.0000002',
            input_cache_write: '0.0000025',
          },
        },
      ],
    },
    { 'a/b': { tiers: [tier(2, 10, { cacheRead: 0.2, cacheWrite: 2.5 })], window: 1_000 } },
  ],
  [
    'Vercel’s',
    { data: [{ id: 'a/b', context_window: 1_000, pricing: { input: '0.000003', output: '0.000015' } }] },
    { 'a/b': { tiers: [tier(3, 15)], window: 1_000 } },
  ],
  ['Gemini’s', { models: [{ name: 'models/g', inputTokenLimit: 1_000 }] }, { g: { tiers: null, window: 1_000 } }],
  ['vLLM’s', { data: [{ id: 'm', max_model_len: 4_096 }] }, { m: { tiers: null, window: 4_096 } }],
  [
    'a price of zero',
    { data: [{ id: 'm', pricing: { prompt: '0', completion: '0' } }] },
    { m: { tiers: null, window: null } },
  ],
  [
    'a negative price',
    { data: [{ id: 'm', pricing: { prompt: '-1', completion: '1' } }] },
    { m: { tiers: null, window: null } },
  ],
  ['half a price', { data: [{ id: 'm', pricing: { prompt: '0.000001' } }] }, { m: { tiers: null, window: null } }],
  [
    'a senseless price',
    { data: [{ id: 'm', pricing: 'cheap', context_length: 'long' }] },
    { m: { tiers: null, window: null } },
  ],
  ['a name of nothing', { data: [{ id: 'm', name: null }] }, { m: { tiers: null, window: null } }],
  ['no list', { error: 'no' }, null],
])('%s', (_, answer, expected) => {
  expect(listedModels(answer)).toEqual(expected);
});

const price = fc.integer({ min: 1, max: 3 });
const priced = fc
  .record({
    low: price,
    high: price,
    output: price,
    write: fc.option(price, { nil: undefined }),
    end: fc.option(price),
  })
  .map(({ low, high, output, write, end }): readonly PriceTier[] => {
    const more = write === undefined ? {} : { cacheWrite: write };
    const last = { upTo: null, input: high, output, cacheRead: 1, ...more };
    return end === null ? [last] : [{ ...last, upTo: end * 1_000, input: low }, last];
  });
const lists = fc.dictionary(
  fc.constantFrom('a', 'b'),
  fc.record({ tiers: fc.option(priced), window: fc.constant(null) }),
);
const USAGES: readonly Usage[] = [500, 1_500, 2_500, 10_000].flatMap((tokens) =>
  (['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const).map((kind) => ({
    ...UNUSED,
    [kind]: tokens,
    output: 10,
  })),
);
const costs = (tiers: readonly PriceTier[]): number[] =>
  USAGES.map((usage) => cost({ version: '', models: { m: tiers } }, 'm', usage));

it('no call gets cheaper unless that is taken, and what a server raises applies', () => {
  fc.assert(
    fc.property(lists, lists, (before, now) => {
      const known = (model: string) => before[model]?.tiers ?? null;
      const old = { known, listed: before };
      const kept = keptList(old, now, false);
      const changes = priceChanges(old, now);
      for (const [model, { tiers }] of Object.entries(before)) {
        if (tiers === null || (now[model]?.tiers ?? null) !== null) continue;
        expect(kept[model]?.tiers).toEqual(tiers);
        expect(changes).toContainEqual(expect.objectContaining({ model, now: null, isLower: true }));
      }
      for (const [model, { tiers }] of Object.entries(now)) {
        if (tiers === null) continue;
        const old = known(model);
        const stored = kept[model]?.tiers ?? [];
        const [is, was, stated] = [costs(stored), old === null ? null : costs(old), costs(tiers)];
        expect(is.every((one, at) => one >= (was?.[at] ?? 0) && one >= (stated[at] ?? 0))).toBe(true);
        if (was?.some((one, at) => one > (stated[at] ?? 0))) {
          expect(changes).toContainEqual(expect.objectContaining({ model, isLower: true }));
        }
        if (was === null || JSON.stringify(was) === JSON.stringify(stated)) expect(is).toEqual(stated);
      }
      expect(keptList(old, now, true)).toEqual(now);
    }),
  );
});

it('what is kept is read again as it was, and a damaged list does not hide the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  const tiers = [tier(1, 2, { upTo: 200_000 }), tier(2, 4, { cacheWrite: 3 })];
  keepList(folder, 'a@x', {
    day: '2026-11-28',
    models: { m: { tiers, window: 1 }, free: { tiers: null, window: null } },
  });
  keepList(folder, 'b@x', { day: 'never', models: {} });
  keepList(folder, 'c@x', { day: '2026-11-28', models: {} });
  expect(keptLists(folder)).toEqual({
    'a@x': { day: '2026-11-28', models: { m: { tiers, window: 1 }, free: { tiers: null, window: null } } },
    'c@x': { day: '2026-11-28', models: {} },
  });
  rmSync(folder, { recursive: true });
});
