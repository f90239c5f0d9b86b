/** Prices for a second opinion: written out by hand, sharing nothing with the code that they check. */
import type { Usage } from '../../../src/shared/money.ts';

/** Nano-USD per token. */
interface Price {
  readonly input: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly read: number;
  readonly output: number;
}

const HAIKU_SHORT: Price = { input: 100, write5m: 125, write1h: 200, read: 10, output: 500 };
const HAIKU_LONG: Price = { input: 500, write5m: 625, write1h: 1000, read: 50, output: 2500 };

const PRICES: ReadonlyMap<string, Price> = new Map([
  ['claude-opus-5-5', { input: 4000, write5m: 5000, write1h: 8000, read: 200, output: 20000 }],
  ['claude-sonnet-5-5', { input: 2000, write5m: 2500, write1h: 4000, read: 100, output: 10000 }],
  ['claude-fable-5-1', { input: 10000, write5m: 12500, write1h: 20000, read: 250, output: 50000 }],
  ['claude-opus-5', { input: 5000, write5m: 6250, write1h: 10000, read: 500, output: 25000 }],
]);

/** A model that the server has and the product knows no price of. */
const NAMELESS = 'qwen3:8b';

export function isPriced(model: string): boolean {
  return PRICES.has(model) || model === NAMELESS || model === 'claude-haiku-5-5';
}

/** What one call costs, micro-USD, rounded up. */
export function microUsdOf(model: string, usage: Usage): number {
  if (model === NAMELESS) return 0;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
  const price = model === 'claude-haiku-5-5' ? (prompt > 100_000 ? HAIKU_LONG : HAIKU_SHORT) : PRICES.get(model);
  if (price === undefined) throw new Error(`no price for ${model}`);
  const nano =
    usage.input * price.input +
    usage.cacheWrite5m * price.write5m +
    usage.cacheWrite1h * price.write1h +
    usage.cacheRead * price.read +
    usage.output * price.output;
  return Math.ceil(nano / 1000);
}
