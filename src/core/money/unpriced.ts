/** Providers that name no price: their calls are booked at nothing, so calls and tokens are limited instead. */
import type { Payee } from '../../shared/model/models.ts';
import type { UnpricedLimits } from '../../shared/money.ts';
import type { ProjectDefinition } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type CountedAdmission, tokensOf } from './usageLimits.ts';

const UNPRICED: ReadonlySet<Payee> = new Set(['vscode-lm', 'own-account']);

export function isPriced(provider: Payee): boolean {
  return !UNPRICED.has(provider);
}

/** Whether there were calls, and none of them had a price: what they sum up to is at most what was reported. */
export function areUnpriced(calls: readonly { readonly provider: Payee }[]): boolean {
  return calls.length > 0 && calls.every(({ provider }) => !isPriced(provider));
}

/** Of a project whose provider names no price, where nobody said how much: the steward is asked when it is used up. */
const PROJECT_TOKENS = 5_000_000;
const PROJECT_TOOL_CALLS = 2_000;

/** The definition with the limits that its provider cannot do without. */
export function bounded(definition: ProjectDefinition): ProjectDefinition {
  const { provider, limits } = definition;
  if (isPriced(provider)) return definition;
  const { tokens, toolCalls } = limits;
  return {
    ...definition,
    limits: { ...limits, tokens: tokens ?? PROJECT_TOKENS, toolCalls: toolCalls ?? PROJECT_TOOL_CALLS },
  };
}

/** What bounds a brief that such a project files; undefined: its provider names prices, or nothing bounds the project. */
export function briefLimits({ provider, limits }: ProjectDefinition): UnpricedLimits | undefined {
  const { tokens, toolCalls } = limits;
  return isPriced(provider) || tokens === null || toolCalls === null ? undefined : { calls: toolCalls, tokens };
}

/** Written on a spend instead of a price table's version. */
export const UNPRICED_VERSION = 'unpriced';

/** A call of a job that wants to leave, and the most tokens, input and output, that it can use. */
export interface UnpricedCall {
  readonly provider: Payee;
  readonly job_id: string;
  readonly tokens: number;
}

/**
 * Admits a call when the job's calls and tokens, this one's included, stay within `limits`. Calls whose tokens are not known
 * count at their most, and where that is not known either as if each were as long as this one.
 */
export function admitUnpriced(state: State, call: UnpricedCall, limits: UnpricedLimits): CountedAdmission {
  const { calls, tokens, inFlight } = unpricedUse(state, call.job_id, call.provider);
  if (calls + 1 > limits.calls)
    return { ok: false, limit: 'calls', most: limits.calls, used: calls - inFlight, open: inFlight, wanted: 1 };
  const open = heldTokens(state, call, 'reserved');
  const used = tokens + heldTokens(state, call, 'unsettled');
  if (used + open + call.tokens <= limits.tokens) return { ok: true };
  return { ok: false, limit: 'tokens', most: limits.tokens, used, open, wanted: call.tokens };
}

function heldTokens(
  state: State,
  { job_id, provider, tokens }: UnpricedCall,
  status: 'reserved' | 'unsettled',
): number {
  let held = 0;
  for (const row of state.spends.values()) {
    if (row.job_id !== job_id || row.provider !== provider || row.status !== status) continue;
    held += row.reserved_tokens || tokens;
  }
  return held;
}

/** Tokens that a job has left of such a provider; what is not known counts at its most. */
export function unpricedLeft(state: State, jobId: string, provider: Payee, limits: UnpricedLimits): number {
  const call = { provider, job_id: jobId, tokens: 0 };
  const held = heldTokens(state, call, 'reserved') + heldTokens(state, call, 'unsettled');
  return limits.tokens - unpricedUse(state, jobId, provider).tokens - held;
}

export interface UnpricedUse {
  /** All that left, whatever became of them. */
  readonly calls: number;
  /** Reported ones, input (cache included) and output. */
  readonly tokens: number;
  /** Calls under way. */
  readonly inFlight: number;
  /** Calls that ended without a report. */
  readonly unknown: number;
}

/** What a job used of such a provider so far. */
export function unpricedUse(state: State, jobId: string, provider: Payee): UnpricedUse {
  const use = { calls: 0, tokens: 0, inFlight: 0, unknown: 0 };
  for (const row of state.spends.values()) {
    if (row.job_id !== jobId || row.provider !== provider || row.status === 'released') continue;
    use.calls++;
    if (row.status === 'reserved') use.inFlight++;
    if (row.status === 'unsettled') use.unknown++;
    use.tokens += tokensOf(row);
  }
  return use;
}
