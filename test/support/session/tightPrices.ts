/** Prices for the model of the tests, by which a conversation is handed over before its prompt has this many tokens. */
import type { PriceTable } from '../../../src/core/money/price/pricing.ts';

export function dearFrom(tokens: number): PriceTable {
  const cheap = { input: 2, output: 10, cacheRead: 0.1 };
  const dear = { input: 10, output: 50, cacheRead: 0.5 };
  return {
    version: 'test',
    models: {
      scripted: [
        { upTo: tokens, ...cheap },
        { upTo: null, ...dear },
      ],
    },
  };
}
