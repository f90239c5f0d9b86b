import type { PriceTable } from './pricing.ts';

/** What the models cost, USD per million tokens. A setting may replace it; see `withPrices`. */
export const PRICES: PriceTable = {
  version: '2026-11',
  models: {
    'claude-opus-5-5': [{ upTo: null, input: 4, output: 20, cacheRead: 0.2 }],
    'claude-sonnet-5-5': [{ upTo: null, input: 2, output: 10, cacheRead: 0.1 }],
    'claude-haiku-5-5': [
      { upTo: 100_000, input: 0.1, output: 0.5, cacheRead: 0.01 },
      { upTo: null, input: 0.5, output: 2.5, cacheRead: 0.05 },
    ],
    'claude-fable-5-1': [{ upTo: null, input: 10, output: 50, cacheRead: 0.25 }],
    'claude-opus-5': [{ upTo: null, input: 5, output: 25, cacheRead: 0.5 }],
  },
};
