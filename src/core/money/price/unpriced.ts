/** Limits calls without a price: they are booked at zero, so calls and tokens are limited instead. */
import { OWN_ACCOUNT, type Payee } from '../../../shared/model/models.ts';
import type { SpendRow, UnpricedLimits } from '../../../shared/money.ts';
import type { ProjectDefinition } from '../../../shared/project/projects.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isOwnConnection, splitModel } from '../../model/modelName.ts';
import { type CountedAdmission, tokensOf } from '../usageLimits.ts';

/** Written on a spend instead of a price table's version. */
export const UNPRICED_VERSION = 'unpriced';

const UNPRICED: ReadonlySet<Payee> = new Set(['vscode-lm', OWN_ACCOUNT]);

/** Whether calls of the payee can have a price. */
export function isPriced(payee: Payee): boolean {
  return !UNPRICED.has(payee);
}

type Booked = Pick<SpendRow, 'provider' | 'price_version'>;

/** Whether the call was booked with a price. */
export const hasPriceOf = ({ provider, price_version }: Booked): boolean =>
  isPriced(provider) && price_version !== UNPRICED_VERSION;

/** Whether there were calls, and all without a price: their sum is only the reported cost. */
export function areUnpriced(calls: readonly Booked[]): boolean {
  return calls.length > 0 && !calls.some(hasPriceOf);
}

/** Default limits of a job with a model without a price. The steward is asked when they are used up. */
export const DEFAULT_UNPRICED: UnpricedLimits = { calls: 1_000, tokens: 20_000_000 };

/** Default limit for a project whose model has no price. The steward is asked when it is used up. */
const PROJECT_TOKENS = 5_000_000;
const PROJECT_TOOL_CALLS = 2_000;

/** The definition with the limits that a model without a price cannot do without. */
export function bounded(definition: ProjectDefinition): ProjectDefinition {
  const { tokens, toolCalls } = definition.limits;
  const { limits } = definition;
  return {
    ...definition,
    limits: { ...limits, tokens: tokens ?? PROJECT_TOKENS, toolCalls: toolCalls ?? PROJECT_TOOL_CALLS },
  };
}

/** Limits of a brief that such a project files. Undefined if all its models have prices, or the project has no limits. */
export function briefLimits({ provider, model, limits }: ProjectDefinition): UnpricedLimits | undefined {
  const { tokens, toolCalls } = limits;
  const { connection } = splitModel(model ?? '', provider);
  return (isPriced(connection) && !isOwnConnection(connection)) || tokens === null || toolCalls === null
    ? undefined
    : { calls: toolCalls, tokens };
}

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
    if (row.job_id !== job_id || !counts(row, provider) || row.status !== status) continue;
    held += row.reserved_tokens || tokens;
  }
  return held;
}

/** Tokens that the job may still use without a price. Unknown counts are taken at their upper bound. */
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

/** Whether a call counts with those of this payee: turns of an agent with its own account count apart from calls of models. */
const counts = (row: SpendRow, payee: Payee): boolean =>
  !hasPriceOf(row) && (row.provider === OWN_ACCOUNT) === (payee === OWN_ACCOUNT);

/** Use of models without a price by a job so far, or of an agent with its own account. */
export function unpricedUse(state: State, jobId: string, provider: Payee): UnpricedUse {
  const use = { calls: 0, tokens: 0, inFlight: 0, unknown: 0 };
  for (const row of state.spends.values()) {
    if (row.job_id !== jobId || !counts(row, provider) || row.status === 'released') continue;
    use.calls++;
    if (row.status === 'reserved') use.inFlight++;
    if (row.status === 'unsettled') use.unknown++;
    use.tokens += tokensOf(row);
  }
  return use;
}
