/** What a model costs and how much it reads, as a job was filed with it. */

/** USD per million tokens for prompts up to `upTo` tokens. Null: of any length. */
export interface PriceTier {
  readonly upTo: number | null;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** A token that is stored in the cache. Defaults to 1.25 times `input` for five minutes and twice `input` for an hour, where a request asks for it. */
  readonly cacheWrite?: number | undefined;
}

/** Terms of one model of a connection. */
export interface ModelTerms {
  /** Tiers in rising order, the last without an end. Null if no price is known: calls and tokens are limited instead. */
  readonly tiers: readonly PriceTier[] | null;
  /** Tokens of the context window. Null if it is not known. */
  readonly window: number | null;
  /** Where the price is from, for people: `your connections.yaml`, `genai-prices 2026-09-30`. */
  readonly source: string;
}

/** By the full names of the models: `ollama/qwen3`. */
export type Terms = Readonly<Record<string, ModelTerms>>;
