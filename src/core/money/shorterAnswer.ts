/** Decides how far an answer may be shortened so that its call fits the rest of a limit. */
import type { Role } from '../../shared/session.ts';
import type { Refusal } from './limitReached.ts';

/**
 * Smallest useful answer of the role, in tokens, because an answer that was cut off is discarded. If a limit leaves less, the person is asked. Null
 * if the answer is never shortened.
 */
const LEAST: Readonly<Record<Role, number | null>> = {
  // Plans take about 150 tokens for each feature, so 20 features and their phases fit.
  planner: 4_000,
  // One file of about 300 lines. A worker whose answer was cut continues in smaller steps.
  worker: 4_000,
  // A verdict with one paragraph for each criterion.
  reviewer: 3_000,
  // Summaries are asked for in at most 200 to 500 words.
  summarizer: 1_500,
  main: 2_000,
  project: 2_000,
  subagent: 2_000,
  // A step states how long its answer may be, and fails if the answer is cut off.
  task: null,
};

/** An answer that is wanted. */
export interface WantedAnswer {
  readonly role: Role;
  readonly maxTokens: number;
  /** Tokens of the answer that are reserved for thinking; null if the request sets no bound to it. */
  readonly thinking: number | null;
}

/** The minimum tokens of the answer: the role's minimum plus the thinking. */
export function leastAnswer({ role, maxTokens, thinking }: WantedAnswer): number {
  const least = LEAST[role];
  return least === null || thinking === null ? maxTokens : Math.min(maxTokens, least + thinking);
}

/** The remaining money or tokens for a call that was refused. Null if the cause of the refusal is not the call's length. */
export function leftFor(refusal: Refusal): { readonly microUsd: number } | { readonly tokens: number } | null {
  if ('limitMicro' in refusal) return { microUsd: refusal.limitMicro - refusal.spentMicro };
  const countsTokens = refusal.limit === 'tokens' || refusal.limit === 'project_tokens';
  return countsTokens ? { tokens: refusal.most - refusal.used } : null;
}
