/** Lists of models in the forms that servers have: nothing is free, and nothing gets cheaper by itself. */
import { expect, it } from 'vitest';
import {
  keptList,
  type ListedModels,
  listedModels,
  priceChanges,
} from '../../../../../src/core/money/price/listedModels.ts';
import { fc } from '../../../../support/suite/property.ts';

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
  ['no list', { error: 'no' }, null],
])('%s', (_, answer, expected) => {
  expect(listedModels(answer)).toEqual(expected);
});

const lists = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.record({
    tiers: fc.option(
      fc
        .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
        .map(([input, output]) => [tier(input, output)]),
    ),
    window: fc.option(fc.integer({ min: 1, max: 3 })),
  }),
);
const priceOf = (list: ListedModels, model: string) => list[model]?.tiers?.[0] ?? null;

it('no rate of a model falls, or goes away, unless it is taken', () => {
  fc.assert(
    fc.property(lists, lists, (before, now) => {
      const kept = keptList(before, now, false);
      for (const model of Object.keys(before)) {
        const [old, next] = [priceOf(before, model), priceOf(kept, model)];
        if (old !== null)
          expect(
            [next?.input ?? 0, next?.output ?? 0].every((rate, at) => rate >= ([old.input, old.output][at] ?? 0)),
          ).toBe(true);
      }
      expect(keptList(before, now, true)).toEqual(now);
      const raised = priceChanges(before, now).filter(({ isLower }) => !isLower);
      for (const { model } of raised) expect(priceOf(kept, model)).toEqual(priceOf(now, model));
    }),
  );
});
