/** What a server states of its own models in its list: prices and contexts, in the forms that are in use. */
import { z } from 'zod';
import type { PriceTier } from '../../../shared/model/terms.ts';

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
  id: z.string().optional(),
  name: z.string().optional(),
  pricing: Pricing.optional().catch(undefined),
  context_length: count,
  context_window: count,
  max_model_len: count,
  max_context_length: count,
  max_input_tokens: count,
  inputTokenLimit: count,
});

const List = z.union([
  z.looseObject({ data: z.array(Entry) }).transform(({ data }) => data),
  z.looseObject({ models: z.array(Entry) }).transform(({ models }) => models),
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
  /** Lower than before: it applies only if the user takes it. */
  readonly isLower: boolean;
}

export function priceChanges(before: ListedModels, now: ListedModels): readonly PriceChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((model) => {
    const [old, next] = [ratesOf(before[model]), ratesOf(now[model])];
    if (JSON.stringify(old) === JSON.stringify(next)) return [];
    return [
      {
        model,
        before: shown(old),
        now: shown(next),
        isLower: old !== null && (next === null || old.some((one, at) => one > (next[at] ?? 0))),
      },
    ];
  });
}

/** The list to keep: without `lower`, a price that fell stays as it was. */
export function keptList(before: ListedModels, now: ListedModels, lower: boolean): ListedModels {
  const fell = lower ? [] : priceChanges(before, now).filter(({ isLower }) => isLower);
  const old = fell.map(
    ({ model }) => [model, { ...(before[model] ?? NONE), window: now[model]?.window ?? null }] as const,
  );
  return { ...now, ...Object.fromEntries(old) };
}

const NONE: ListedTerms = { tiers: null, window: null };

function ratesOf(terms: ListedTerms | undefined): readonly number[] | null {
  const [tier] = terms?.tiers ?? [];
  return tier === undefined ? null : [tier.input, tier.output, tier.cacheRead, tier.cacheWrite ?? tier.input];
}

const shown = (rates: readonly number[] | null): readonly [number, number] | null =>
  rates === null ? null : [rates[0] ?? 0, rates[1] ?? 0];
