/** What a server states of its own models in its list: prices and contexts, in the forms that are in use. */
import { z } from 'zod';
import type { PriceTier } from '../../../shared/model/terms.ts';
import { writeRate } from './pricing.ts';

/** What a server states of one model. */
export interface ListedTerms {
  readonly tiers: readonly PriceTier[] | null;
  /** Tokens of the context window. */
  readonly window: number | null;
}

/** By the names that the server knows. */
export type ListedModels = Readonly<Record<string, ListedTerms>>;

const rate = z.union([z.string(), z.number()]).optional().catch(undefined);
const count = z.int().positive().optional().catch(undefined);

/** USD per token: OpenRouter has `prompt` and `completion`, Vercel's gateway `input` and `output`. */
const Pricing = z.looseObject({
  prompt: rate,
  input: rate,
  completion: rate,
  output: rate,
  input_cache_read: rate,
  input_cache_write: rate,
});

const Entry = z.looseObject({
  id: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  pricing: Pricing.optional().catch(undefined),
  context_length: count,
  context_window: count,
  max_model_len: count,
  max_context_length: count,
  max_input_tokens: count,
  inputTokenLimit: count,
});

/** Ollama writes null for an empty list. */
const Entries = z
  .array(Entry)
  .nullable()
  .transform((entries) => entries ?? []);

const List = z.union([
  z.looseObject({ data: Entries }).transform(({ data }) => data),
  z.looseObject({ models: Entries }).transform(({ models }) => models),
]);

/** Null if the answer is not a list of models. */
export function listedModels(answer: unknown): ListedModels | null {
  const list = List.safeParse(answer).data;
  if (list === undefined) return null;
  return Object.fromEntries(
    list.flatMap((entry) => {
      const name = entry.id ?? entry.name?.replace(/^models\//, '');
      return name === undefined ? [] : [[name, termsIn(entry)] as const];
    }),
  );
}

function termsIn(entry: z.infer<typeof Entry>): ListedTerms {
  const { pricing } = entry;
  const window = entry.context_length ?? entry.context_window ?? entry.max_model_len ?? entry.max_context_length;
  const input = perMillion(pricing?.prompt ?? pricing?.input);
  const output = perMillion(pricing?.completion ?? pricing?.output);
  const read = perMillion(pricing?.input_cache_read);
  const write = perMillion(pricing?.input_cache_write);
  const tier = {
    upTo: null,
    input,
    output,
    cacheRead: read ?? input,
    ...(write === null ? {} : { cacheWrite: write }),
  };
  return {
    // A zero means unknown: only the user can declare a model free.
    tiers: input === null || output === null ? null : [tier as PriceTier],
    window: window ?? entry.max_input_tokens ?? entry.inputTokenLimit ?? null,
  };
}

/** USD of a million tokens; null if the server states no usable price. */
function perMillion(perToken: string | number | undefined): number | null {
  const value = Math.round(Number(perToken) * 1e12) / 1e6;
  return Number.isFinite(value) && value > 0 && value <= 10_000 ? value : null;
}

/** How the price of a model changed. */
export interface PriceChange {
  readonly model: string;
  /** Input and output of short prompts, USD per million tokens. Null: there was none, or there is none any more. */
  readonly before: readonly [number, number] | null;
  readonly now: readonly [number, number] | null;
  /** A price is lower than before, for prompts of some length, or is no longer stated: that applies only if the user takes it. */
  readonly isLower: boolean;
}

type Tiers = readonly PriceTier[] | null;

/** What applied until a list is read. */
export interface KnownPrices {
  /** The prices of a model, whatever their source. */
  readonly known: (model: string) => Tiers;
  /** The list before. */
  readonly listed: ListedModels;
}

export function priceChanges({ known, listed }: KnownPrices, now: ListedModels): readonly PriceChange[] {
  const changed = Object.entries(now)
    .map(([model, { tiers }]) => ({ model, old: known(model), tiers }))
    .filter(({ old, tiers }) => tiers !== null && !isSamePrice(old, tiers))
    .map(({ model, old, tiers }) => ({
      model,
      before: shortPrompts(old),
      now: shortPrompts(tiers),
      isLower: old !== null && tiers !== null && !isSamePrice(higherOf(old, tiers), tiers),
    }));
  const gone = Object.entries(listed)
    .filter(([model, { tiers }]) => tiers !== null && (now[model]?.tiers ?? null) === null)
    .map(([model, { tiers }]) => ({ model, before: shortPrompts(tiers), now: null, isLower: true }));
  return [...changed, ...gone];
}

/**
 * The list to keep. Without `lower`, no price falls: each rate is the higher one, for prompts of each length, and what the list leaves out
 * stays as it was, so that one wrong list does not make the next one look new.
 */
export function keptList({ known, listed }: KnownPrices, now: ListedModels, lower: boolean): ListedModels {
  if (lower) return now;
  const kept = Object.entries(now).map(([model, { tiers, window }]) => {
    if (tiers === null) return [model, { tiers: listed[model]?.tiers ?? null, window }];
    const old = known(model);
    return [model, { tiers: old === null ? tiers : higherOf(old, tiers), window }];
  });
  return { ...listed, ...Object.fromEntries(kept) };
}

/** For prompts of each length, the higher rate of both. */
function higherOf(one: readonly PriceTier[], other: readonly PriceTier[]): readonly PriceTier[] {
  const ends = [...new Set([...one, ...other].map(({ upTo }) => upTo ?? Number.POSITIVE_INFINITY))].sort(
    (a, b) => a - b,
  );
  return ends.map((end) => {
    const [a, b] = [tierFor(one, end), tierFor(other, end)];
    const hasWrite = a.cacheWrite !== undefined || b.cacheWrite !== undefined;
    return {
      upTo: Number.isFinite(end) ? end : null,
      input: Math.max(a.input, b.input),
      output: Math.max(a.output, b.output),
      cacheRead: Math.max(a.cacheRead, b.cacheRead),
      ...(hasWrite ? { cacheWrite: Math.max(writeRate(a, '5m'), writeRate(b, '5m')) } : {}),
    };
  });
}

function tierFor(tiers: readonly PriceTier[], prompt: number): PriceTier {
  const tier = tiers.find(({ upTo }) => upTo === null || prompt <= upTo) ?? tiers.at(-1);
  if (tier === undefined) throw new Error('a price has no tier');
  return tier;
}

/** Whether they cost the same for prompts of each length. */
function isSamePrice(one: Tiers, other: Tiers): boolean {
  if (one === null || other === null) return one === other;
  return [...one, ...other].every(({ upTo }) => {
    const prompt = upTo ?? Number.POSITIVE_INFINITY;
    const [a, b] = [tierFor(one, prompt), tierFor(other, prompt)];
    return RATES.every((rate) => rate(a) === rate(b));
  });
}

const RATES: readonly ((tier: PriceTier) => number)[] = [
  ({ input }) => input,
  ({ output }) => output,
  ({ cacheRead }) => cacheRead,
  (tier) => writeRate(tier, '5m'),
];

const shortPrompts = (tiers: Tiers): readonly [number, number] | null => {
  const [tier] = tiers ?? [];
  return tier === undefined ? null : [tier.input, tier.output];
};
