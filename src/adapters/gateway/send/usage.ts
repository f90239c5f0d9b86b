/** Reads the token counts that a provider reports. */
import { z } from 'zod';
import type { Usage } from '../../../shared/money.ts';

const Count = z.int().nonnegative().nullish();

const Reported = z.looseObject({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_creation: z.looseObject({ ephemeral_5m_input_tokens: Count, ephemeral_1h_input_tokens: Count }).nullish(),
  iterations: z.array(z.looseObject({ type: z.string() })).nullish(),
  server_tool_use: z.record(z.string(), z.unknown()).nullish(),
  speed: z.string().nullish(),
  service_tier: z.string().nullish(),
  /** USD, as some gateways state the cost of the call. */
  cost: z.number().positive().nullish().catch(null),
});

/** Counts so far. Reports are cumulative: an omitted count stays, and a count never falls, whatever a later report contains. */
export class UsageReport {
  #input: number | undefined;
  #output: number | undefined;
  #cacheRead = 0;
  #cacheWrite = 0;
  #cacheWrite1h = 0;
  #unpriced: string | null = null;
  #cost: number | null = null;
  #fell: string | null = null;

  /** Returns false if the value is not a usage report. */
  take(reported: unknown): boolean {
    const parsed = Reported.safeParse(reported);
    if (!parsed.success) return false;
    const usage = parsed.data;
    this.#input = this.#grown(this.#input, usage.input_tokens, 'input');
    this.#output = this.#grown(this.#output, usage.output_tokens, 'output');
    this.#cacheRead = this.#grown(this.#cacheRead, usage.cache_read_input_tokens, 'cache read') ?? 0;
    this.#cacheWrite = this.#grown(this.#cacheWrite, usage.cache_creation_input_tokens, 'cache write') ?? 0;
    const hour = usage.cache_creation?.ephemeral_1h_input_tokens;
    this.#cacheWrite1h = this.#grown(this.#cacheWrite1h, hour, 'cache write') ?? 0;
    const fiveMinutes = usage.cache_creation?.ephemeral_5m_input_tokens ?? 0;
    this.#cacheWrite = Math.max(this.#cacheWrite, fiveMinutes + this.#cacheWrite1h);
    this.#unpriced ??= unpricedPart(usage);
    this.#cost = usage.cost ?? this.#cost;
    return true;
  }

  /** Cost of the call in USD, as the server states it. Null if it does not, or states zero, which may mean unknown. */
  get cost(): number | null {
    return this.#cost;
  }

  /** The count that fell, as a text for people; null if no count fell. */
  get fell(): string | null {
    return this.#fell;
  }

  #grown(before: number | undefined, now: number | null | undefined, name: string): number | undefined {
    if (now === null || now === undefined) return before;
    if (now < (before ?? 0)) this.#fell ??= `${before} ${name} tokens, then ${now}`;
    return Math.max(before ?? 0, now);
  }

  /** The counts, or the reason why the cost is unclear. */
  result(): { readonly usage: Usage } | { readonly unclear: string } {
    if (this.#input === undefined || this.#output === undefined) return { unclear: 'no usage reported' };
    if (this.#unpriced !== null) return { unclear: `usage without a price: ${this.#unpriced}` };
    return {
      usage: {
        input: this.#input,
        output: this.#output,
        cacheRead: this.#cacheRead,
        cacheWrite5m: this.#cacheWrite - this.#cacheWrite1h,
        cacheWrite1h: this.#cacheWrite1h,
      },
    };
  }
}

function unpricedPart(usage: z.infer<typeof Reported>): string | null {
  if (usage.iterations?.some(({ type }) => type !== 'message')) return 'server-side iterations';
  if (Object.values(usage.server_tool_use ?? {}).some((count) => typeof count === 'number' && count > 0))
    return 'server tools';
  if (usage.speed === 'fast') return 'fast mode';
  return usage.service_tier === 'priority' ? 'priority tier' : null;
}
