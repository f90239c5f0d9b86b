/** Applies the prices of a setting to a price table. */
import { z } from 'zod';
import { failure } from '../../shared/errors.ts';
import type { PriceTable, PriceTier } from './pricing.ts';

const Rate = z.number().nonnegative().max(10_000);

/** USD per million tokens for prompts up to `upTo` tokens (null: any length); tiers in rising order, the last without end. */
const PriceTierSchema = z.strictObject({
  upTo: z.int().positive().nullable(),
  input: Rate,
  output: Rate,
  cacheRead: Rate,
});

const Tiers = z
  .array(PriceTierSchema)
  .min(1)
  .refine((tiers) => tiers.every((tier, at) => rises(tiers, tier, at)), 'tiers rise, and only the last has no end');

const PriceTableSchema = z.strictObject({
  version: z.string().min(1).max(40),
  models: z.record(z.string().min(1), Tiers),
  /** Tokens of the context window, where it is known. */
  windows: z.record(z.string().min(1), z.int().positive()).optional(),
});

function rises(tiers: readonly PriceTier[], tier: PriceTier, at: number): boolean {
  const before = at === 0 ? 0 : (tiers[at - 1]?.upTo ?? null);
  if (at === tiers.length - 1) return tier.upTo === null && before !== null;
  return tier.upTo !== null && before !== null && tier.upTo > before;
}

/** The table with a setting's prices applied: models in the setting replace those of the table. Throws INVALID_INPUT. */
export function withPrices(base: PriceTable, override: unknown): PriceTable {
  const parsed = PriceTableSchema.safeParse(override);
  if (!parsed.success) {
    throw failure('INVALID_INPUT', `the price table cannot be used: ${z.prettifyError(parsed.error)}`, {
      hint: 'A table is {"version": "…", "models": {"<model>": [{"upTo": null, "input": 2, "output": 10, "cacheRead": 0.1}]}}, USD per million tokens.',
    });
  }
  const { version, models, windows } = parsed.data;
  return {
    version: `${base.version}+${version}`,
    models: { ...base.models, ...models },
    windows: { ...base.windows, ...windows },
  };
}
