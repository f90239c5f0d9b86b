/** Computes the cost of a model call and its upper bound: integer micro-USD, always rounded up. */
import { failure } from '../../../shared/errors.ts';
import type { PriceTier } from '../../../shared/model/terms.ts';
import type { Usage } from '../../../shared/money.ts';
import { undatedModel } from '../../model/modelName.ts';
import { inputTokens } from '../../model/usage/usage.ts';
import type { TokenPrices } from '../../session/handover.ts';

export interface PriceTable {
  readonly version: string;
  /** Tiers in rising order, the last without an end. */
  readonly models: Readonly<Record<string, readonly PriceTier[]>>;
  /** Tokens of the context window, where it is known. */
  readonly windows?: Readonly<Record<string, number>> | undefined;
}

/** The longest lifetime of a cache entry that a request may write: it determines the upper bound of the input's cost. */
export type CacheWrite = 'none' | '5m' | '1h';

const WRITE_FACTOR = { '5m': 1.25, '1h': 2 } as const;

/** Price of a token that is stored in the cache. An own price of the model is that of five minutes. */
export const writeRate = ({ input, cacheWrite = input * WRITE_FACTOR['5m'] }: PriceTier, write: '5m' | '1h'): number =>
  write === '5m' ? cacheWrite : Math.max(cacheWrite, input * WRITE_FACTOR['1h']);

/** The highest price of a prompt's token. A model with an own price for writes may store a prompt that asks for nothing. */
function highestRate(tier: PriceTier, write: CacheWrite): number {
  const written = write === 'none' ? (tier.cacheWrite ?? 0) : writeRate(tier, write);
  return Math.max(nano(tier.input), nano(tier.cacheRead), nano(written));
}

/** The table at a discount. `factor`: the part of each price that is paid, above 0 and at most 1. */
export function discounted(table: PriceTable, factor: number): PriceTable {
  const tiersAt = (tiers: readonly PriceTier[]): PriceTier[] =>
    tiers.map(({ upTo, input, output, cacheRead, cacheWrite }) => ({
      upTo,
      input: input * factor,
      output: output * factor,
      cacheRead: cacheRead * factor,
      ...(cacheWrite === undefined ? {} : { cacheWrite: cacheWrite * factor }),
    }));
  const models = Object.fromEntries(Object.entries(table.models).map(([model, tiers]) => [model, tiersAt(tiers)]));
  return { ...table, version: `${table.version} × ${factor}`, models };
}

/** Whether calls of the model can be priced. */
export function hasPrice(table: PriceTable, model: string): boolean {
  return tiersFor(table, model) !== undefined;
}

/** Prices of a token, in USD per million tokens. */
export interface Rates extends TokenPrices {
  readonly input: number;
  /** A token that is stored in the cache for an hour. `write`: for five minutes. */
  readonly writeHour: number;
}

/** The prices of a prompt of this length, and the length from which on they rise. Null without a price. */
export function pricesAt(
  table: PriceTable,
  model: string,
  prompt: number,
): (Rates & { readonly upTo: number | null }) | null {
  const tiers = tiersFor(table, model);
  const tier = tiers && tierAt(tiers, prompt);
  if (tier === undefined) return null;
  const { input, output, cacheRead: read, upTo } = tier;
  return { input, write: writeRate(tier, '5m'), writeHour: writeRate(tier, '1h'), read, output, upTo };
}

/** Tokens of the model's context window. Null if the table does not state it. */
export const windowOf = (table: PriceTable, model: string): number | null => named(table.windows ?? {}, model) ?? null;

const tierAt = (tiers: readonly PriceTier[], prompt: number): PriceTier | undefined =>
  tiers.find(({ upTo }) => upTo === null || prompt <= upTo);

const tiersFor = (table: PriceTable, model: string): PriceTable['models'][string] | undefined =>
  named(table.models, model);

/** Looks up the model's name, or the name without a date or `-latest`. */
function named<T>(entries: Readonly<Record<string, T>>, model: string): T | undefined {
  const known = [model, undatedModel(model)].find((name) => Object.hasOwn(entries, name));
  return known === undefined ? undefined : entries[known];
}

/** The tiers of a model. Throws MODEL_UNPRICED. */
function tiersOf(table: PriceTable, model: string): PriceTable['models'][string] {
  const tiers = tiersFor(table, model);
  if (tiers !== undefined) return tiers;
  throw failure('MODEL_UNPRICED', `there is no price for the model ${JSON.stringify(model.slice(0, 100))}`, {
    hint: 'Choose a priced model. One of your connections is named CONNECTION/MODEL: autonomous models list',
    details: { model: model.slice(0, 100), priced: Object.keys(table.models) },
  });
}

/** USD per million tokens as whole nano-USD per token, rounded up. */
function nano(usdPerMillion: number): number {
  return Math.ceil(Math.round(usdPerMillion * 1e9) / 1e6);
}

function micro(nanoUsd: number): number {
  return Math.ceil(nanoUsd / 1000);
}

/** The prompt's part of a call's upper bound, and the rate of its answer, in nano-USD. */
interface Bound {
  readonly prompt: number;
  readonly output: number;
}

/**
 * One bound for each tier that a prompt of at most `inputTokens` can be in: the whole prompt is written to the cache at the highest rate that `write`
 * allows.
 */
function boundsOf(table: PriceTable, model: string, inputTokens: number, write: CacheWrite): Bound[] {
  const bounds: Bound[] = [];
  let from = 0;
  for (const tier of tiersOf(table, model)) {
    if (from > 0 && inputTokens <= from) break;
    const prompt = Math.min(inputTokens, tier.upTo ?? inputTokens);
    bounds.push({ prompt: prompt * highestRate(tier, write), output: nano(tier.output) });
    from = tier.upTo ?? Number.POSITIVE_INFINITY;
  }
  return bounds;
}

/** Upper bound of a call's cost if its prompt has at most `inputTokens` and its answer at most `maxTokens`. Throws MODEL_UNPRICED. */
export function reservation(
  table: PriceTable,
  model: string,
  inputTokens: number,
  maxTokens: number,
  write: CacheWrite = '1h',
): number {
  const bounds = boundsOf(table, model, inputTokens, write);
  return Math.max(...bounds.map(({ prompt, output }) => micro(prompt + maxTokens * output)));
}

/** The longest answer whose `reservation` is within `microUsd`; negative if the prompt alone exceeds it. Throws MODEL_UNPRICED. */
export function longestAnswer(
  table: PriceTable,
  model: string,
  inputTokens: number,
  microUsd: number,
  write: CacheWrite,
): number {
  const bounds = boundsOf(table, model, inputTokens, write);
  const fits = ({ prompt, output }: Bound): number => {
    const left = microUsd * 1000 - prompt;
    return output === 0 && left >= 0 ? Number.POSITIVE_INFINITY : Math.floor(left / output);
  };
  return Math.min(...bounds.map(fits));
}

/** The cost of the call by its reported usage. The tier depends on the whole prompt, cached or not. Throws MODEL_UNPRICED. */
export function cost(table: PriceTable, model: string, usage: Usage): number {
  const prompt = inputTokens(usage);
  const tiers = tiersOf(table, model);
  const tier = tierAt(tiers, prompt) ?? tiers.at(-1);
  if (tier === undefined) throw new Error(`no tier of ${model}`);
  return micro(
    usage.input * nano(tier.input) +
      usage.output * nano(tier.output) +
      usage.cacheRead * nano(tier.cacheRead) +
      usage.cacheWrite5m * nano(writeRate(tier, '5m')) +
      usage.cacheWrite1h * nano(writeRate(tier, '1h')),
  );
}
