/** Limits calls of providers without prices: their calls are booked at zero, so calls and tokens are limited instead. */
import type { Payee } from '../../shared/model/models.ts';
import type { UnpricedLimits } from '../../shared/money.ts';
import type { ProjectDefinition } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type CountedAdmission, tokensOf } from './usageLimits.ts';

const UNPRICED: ReadonlySet<Payee> = new Set(['vscode-lm', 'own-account']);

export function isPriced(provider: Payee): boolean {
  return !UNPRICED.has(provider);
}

/** Whether there were calls, and all without a price: their sum is only the reported cost. */
export function areUnpriced(calls: readonly { readonly provider: Payee }[]): boolean {
  return calls.length > 0 && calls.every(({ provider }) => !isPriced(provider));
}

/** Default limit for a project whose provider has no prices. The steward is asked when it is used up. */
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

/** Limits of a brief that such a project files. Undefined if its provider has prices, or the project has no limits. */
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
 * Admits a call if the job's calls and tokens, including this call's, stay within `limits`. Calls whose tokens are not known count at their upper
 * bound, or, if that is not known either, like this call.
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

/** Tokens that the job may still use with such a provider. Unknown counts are taken at their upper bound. */
export function unpricedLeft(state: State, jobId: string, provider: Payee, limits: UnpricedLimits): number {
  const call = { provider, job_id: jobId, tokens: 0 };
  const held = heldTokens(state, call, 'reserved') + heldTokens(state, call, 'unsettled');
  return limits.tokens - unpricedUse(state, jobId, provider).tokens - held;
}

export interface UnpricedUse {
  /** All calls that were sent, whatever their result. */
  readonly calls: number;
  /** Reported ones, input (cache included) and output. */
  readonly tokens: number;
  /** Calls in flight. */
  readonly inFlight: number;
  /** Calls that ended without a report. */
  readonly unknown: number;
}

/** Usage of such a provider by a job so far. */
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
