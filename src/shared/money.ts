/** The money ledger, and what bounds it: micro-USD, and counts where nothing is priced. As `shared/job/rows.ts`. */

import type { Payee } from './model/models.ts';
import type { Role } from './session.ts';

/** Ceilings where money says nothing. `tokens` counts input and output of all calls of the job. */
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
  /** Local calendar day, `YYYY-MM-DD`; never goes back. */
  readonly day: string;
  readonly status: SpendStatus;
  readonly reserved_micro_usd: number;
  /** The most that it can use, input and output; 0: a version reserved it that did not say. */
  readonly reserved_tokens: number;
  /** 0 until settled. */
  readonly settled_micro_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
  /** Calls of tools in its reply. */
  readonly tool_calls: number;
  readonly price_version: string;
  readonly epoch: number;
  readonly at: string;
  readonly settled_at: string | null;
  /** Why it was released or stays unsettled. */
  readonly reason: string | null;
}

/** Money of some calls, USD: what is settled, and apart from that what is only held. */
export interface Spent {
  /** Settled: what the calls cost. */
  readonly costUsd: number;
  /** Reserved for calls in flight: the most that they can cost. */
  readonly reservedUsd: number;
  /** Calls that were perhaps billed: the most that they can have cost. */
  readonly unsettledUsd: number;
}

/** Limits over all jobs of the workspace, micro-USD; null: none. */
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

/** Limits that count what is used, not what it costs: of a job whose provider names no price, and of a project. */
export type CountedLimitName = keyof UnpricedLimits | 'project_tokens' | 'project_tool_calls';
