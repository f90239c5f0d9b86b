/** Decides the effect of a failed model call on the session. */

import { AnthropicError, APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { isPassing } from '../../core/model/backoff.ts';
import { statedWindow, type Unfit, unfitHistory } from '../../core/model/unfitHistory.ts';
import { type AutonomousError, type ErrorCode, failure, findFailure, MODEL_REFUSALS } from '../../shared/errors.ts';
import type { SessionResult } from './ports.ts';

export type CallFailure =
  | { readonly kind: 'aborted' }
  /** The reply broke off: asking again may help. */
  | { readonly kind: 'broken'; readonly failure: AutonomousError }
  /** The session ends or is suspended. */
  | {
      readonly kind: 'result';
      readonly result: (turns: number) => SessionResult;
      /** Reason why the provider rejects such a history. Null if the failure has another cause. */
      readonly unfit: Unfit | null;
      /** The most tokens of a prompt, if the refusal states it. */
      readonly window: number | null;
    }
  /** Not about the model: left to the caller, without the SDK's wrapping if it is an error of the engine. */
  | { readonly kind: 'thrown'; readonly thrown: unknown };

/** Refusals of the provider or the budget. The session stays resumable. */
const UNAVAILABLE: readonly ErrorCode[] = ['LIMIT_REACHED', 'MODEL_UNAVAILABLE', ...MODEL_REFUSALS];

export function readCallFailure(thrown: unknown, signal: AbortSignal): CallFailure {
  if (signal.aborted || thrown instanceof APIUserAbortError) return { kind: 'aborted' };
  const found = findFailure(thrown) ?? fromSdk(thrown);
  if (found === undefined) return { kind: 'thrown', thrown };
  if (found.code === 'ABORTED') return { kind: 'aborted' };
  if (found.code === 'MODEL_STREAM_BROKEN') return { kind: 'broken', failure: found };
  if (!UNAVAILABLE.includes(found.code)) return { kind: 'thrown', thrown: found };
  return { kind: 'result', result: (turns) => unavailable(found, turns), ...unfitOf(found) };
}

function unfitOf({ details: { unfit, window } }: AutonomousError): { unfit: Unfit | null; window: number | null } {
  const isKnown = unfit === 'too_long' || unfit === 'thinking_bound' || unfit === 'image';
  return { unfit: isKnown ? unfit : null, window: typeof window === 'number' ? window : null };
}

export function unavailable(found: AutonomousError, turns: number): SessionResult {
  const { code, message: detail, hint, details } = found;
  const { limit, raiseTo } = details;
  return {
    outcome: 'unavailable',
    turns,
    code,
    detail,
    hint,
    wakeAt: wakeTime(details['resetsAt'] ?? details['retryAt'] ?? details['retryAtMs']),
    limit: typeof limit === 'string' ? limit : null,
    raiseTo: typeof raiseTo === 'number' ? raiseTo : null,
  };
}

/** ISO text as it is, epoch milliseconds as ISO text. */
function wakeTime(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? new Date(value).toISOString() : null;
}

/** The gateway names its failures; what only the SDK saw is named here. */
function fromSdk(thrown: unknown): AutonomousError | undefined {
  if (!(thrown instanceof AnthropicError)) return undefined;
  const options = { cause: thrown };
  if (thrown instanceof APIConnectionError) return failure('MODEL_UNAVAILABLE', thrown.message, options);
  const status: unknown = thrown instanceof APIError ? thrown.status : undefined;
  if (typeof status !== 'number') return failure('MODEL_STREAM_BROKEN', thrown.message, options);
  if (status === 401 || status === 403) return failure('KEY_REFUSED', thrown.message, options);
  if (isPassing(status)) return failure('MODEL_UNAVAILABLE', thrown.message, options);
  const details = { unfit: unfitHistory(status, thrown.message), window: statedWindow(thrown.message) };
  return failure('MODEL_REQUEST_REFUSED', thrown.message, { ...options, details });
}
