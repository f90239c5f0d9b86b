/** The money ledger and its limits, in micro-USD, and in counts if a provider has no prices. Casing as in `shared/job/rows.ts`. */

import type { Payee } from './model/models.ts';
import type { Role } from './session.ts';

/** Limits for work without prices. `tokens` counts input and output of all calls of the job. */
export interface UnpricedLimits {
  readonly calls: number;
  readonly tokens: number;
}

export const SPEND_STATUSES = ['reserved', 'settled', 'released', 'unsettled'] as const;
export type SpendStatus = (typeof SPEND_STATUSES)[number];

/** Token counts as the Messages API reports them. `input` excludes cache reads and writes. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** One model call in the money ledger. */
export interface SpendRow {
  readonly id: number;
  readonly session_id: number;
  readonly project_id: string;
  readonly job_id: string | null;
  readonly phase_id: number | null;
  readonly feature_id: number | null;
  readonly attempt_id: number | null;
  readonly task_id: string | null;
  readonly step_id: number | null;
  readonly role: Role;
  readonly provider: Payee;
  readonly model: string;
  /** Local calendar day, `YYYY-MM-DD`; never decreases. */
  readonly day: string;
  readonly status: SpendStatus;
  readonly reserved_micro_usd: number;
  /** Upper bound of the call's tokens, input and output. 0 if an older version made the reservation. */
  readonly reserved_tokens: number;
  /** 0 until settled. */
  readonly settled_micro_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
  /** Name of its conversation within the session. Null if unknown. */
  readonly conversation: string | null;
  /** Calls of tools in its reply. */
  readonly tool_calls: number;
  readonly price_version: string;
  readonly epoch: number;
  readonly at: string;
  readonly settled_at: string | null;
  /** The reason why it was released or is still unsettled. */
  readonly reason: string | null;
}

/** Cost of some calls, USD: the settled amount, and separately the held ones. */
export interface Spent {
  /** Settled cost of the calls. */
  readonly costUsd: number;
  /** Reserved for calls in flight: the upper bound of their cost. */
  readonly reservedUsd: number;
  /** Upper bound of the cost of calls that were possibly billed. */
  readonly unsettledUsd: number;
}

/**
 * What tokens were paid for. `read`: read from the cache; `first`: sent for the first time. Sent before and paid for again: `idle` if the
 * cache entries had expired, `changed` if the cache should have held them, `unstored` if no request had stored them. `handover`: the
 * beginning of a fresh conversation. `output`: answers. `unknown`: input of which it is not known whether it was sent before, and the cost
 * of calls whose model has no price.
 */
export const TOKEN_USES = ['read', 'first', 'idle', 'handover', 'changed', 'unstored', 'output', 'unknown'] as const;
export type TokenUse = (typeof TOKEN_USES)[number];

export interface UsedTokens {
  readonly tokens: number;
  /** Those of `tokens` that have no price. */
  readonly unpricedTokens: number;
  /** Part of the settled cost. */
  readonly usd: number;
}

/** What some settled calls sent, read from the cache and stored in it. */
export interface CacheAmounts {
  readonly calls: number;
  /** Those of `calls` whose provider has no price. */
  readonly unpricedCalls: number;
  /** What was sent, and the answers. The tokens add up to all tokens, and the costs to the settled cost. Absent if 0. */
  readonly uses: Readonly<Partial<Record<TokenUse, UsedTokens>>>;
  readonly cacheReadTokens: number;
  /** Stored for five minutes. */
  readonly cacheWrite5mTokens: number;
  /** Stored for an hour. */
  readonly cacheWrite1hTokens: number;
  /** Sent, and neither read from the cache nor stored in it. */
  readonly uncachedTokens: number;
  /** Conversations that were handed over to a fresh one. */
  readonly handovers: number;
  /** Estimate of the savings by handovers; negative if they cost more. Null if there was no handover, or it has no price. */
  readonly savedUsd: number | null;
}

/** One line of a table of such amounts. */
export interface CacheLine extends CacheAmounts {
  readonly key: string;
  readonly label: string;
}

/** Limits over all jobs of the workspace, micro-USD. Null for no limit. */
export interface Limits {
  readonly callMicroUsd: number | null;
  readonly projectMicroUsd: number | null;
  readonly dayMicroUsd: number | null;
  readonly totalMicroUsd: number | null;
}

export type LimitName =
  | 'call'
  | 'attempt'
  | 'job'
  | 'task'
  | 'project_day'
  | 'project_total'
  | 'project'
  | 'day'
  | 'total';

/** Limits of usage instead of cost: of a job whose provider has no prices, and of a project. */
export type CountedLimitName = keyof UnpricedLimits | 'project_tokens' | 'project_tool_calls';

/** Milliseconds after the last use of a stored prefix at which the provider's cache drops it, by the lifetime that it was written with. */
export const CACHE_LIFETIME_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 } as const;
