/** Translates a failed call into an error of the caller's protocol that the caller does not retry forever. */
import { type AutonomousError, ERROR_TRAITS } from '../../shared/errors.ts';

export type Protocol = 'messages' | 'chat';

/** Names of the Messages API. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'api_error'
  | 'overloaded_error';

export interface HttpError {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** The agent may retry when some requests are answered. */
export const TOO_MUCH_AT_ONCE: HttpError = {
  status: 429,
  type: 'rate_limit_error',
  message: 'too many calls at once',
  retryAfterSeconds: 1,
};

export function errorBody(protocol: Protocol, { type, message }: HttpError): string {
  if (protocol === 'messages') return JSON.stringify({ type: 'error', error: { type, message } });
  return JSON.stringify({ error: { message, type, param: null, code: type } });
}

/** The provider's errors about one request, which agents can handle: a prompt that is too long, for instance. */
const OWN_COMPLAINTS: Readonly<Record<number, ErrorType>> = {
  400: 'invalid_request_error',
  404: 'not_found_error',
  413: 'request_too_large',
  422: 'invalid_request_error',
};

/** Whether the failure concerns only this request: the next one may succeed. */
export function isOfRequest({ code, details }: AutonomousError): boolean {
  if (code === 'MODEL_STREAM_BROKEN') return true;
  const status = details['status'];
  return code === 'MODEL_REQUEST_REFUSED' && status !== 404 && typeof status === 'number' && status in OWN_COMPLAINTS;
}

/**
 * Translates a failure before the answer started. A failure that only a person can fix is 403: clients do not retry it.
 */
export function httpError(failed: AutonomousError, nowMs: number): HttpError {
  const message = [failed.message, failed.hint].filter((text) => text !== '').join('. ');
  const { status: said, retryAtMs } = failed.details;
  if (failed.code === 'INTERNAL') return { status: 500, type: 'api_error', message: 'the model server failed at this' };
  if (failed.code === 'MODEL_REQUEST_REFUSED') {
    const status = typeof said === 'number' && said in OWN_COMPLAINTS ? said : 400;
    return { status, type: OWN_COMPLAINTS[status] ?? 'invalid_request_error', message };
  }
  if (!ERROR_TRAITS[failed.code].retry) return { status: 403, type: 'permission_error', message };
  const waitMs = typeof retryAtMs === 'number' ? retryAtMs - nowMs : 0;
  return { status: 529, type: 'overloaded_error', message, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}
