/** Decides which answers of a provider are retried, and when. Pure arithmetic; the gateway waits. */

/** Attempts of one call, the first included. */
export const MAX_TRIES = 6;
/** Longest wait of a call for its next attempt. For longer waits the job waits instead. */
export const MAX_WAIT_MS = 60_000;
/** Shortest delay before the job retries after a call gave up. */
export const MIN_GIVE_UP_MS = 60_000;

/** Upper bound for a server's Retry-After: a retry at least once a day. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
const BASE_MS = 2_000;
const CAP_MS = 5 * 60_000;

/**
 * `failures` in a row so far, at least 1; `random` in [0, 1). Returns the larger of the server's Retry-After and an exponential wait with full
 * jitter: a small Retry-After must not use up all attempts in seconds.
 */
export function backoffMs(failures: number, random: number, retryAfterMs: number | null): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(retryAfterMs ?? 0, Math.ceil(ceiling * random));
}

/** Reads `retry-after-ms`, else `retry-after` in seconds or as an HTTP date, at most a day; null when absent or unreadable. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const asked = askedMs(headers, nowMs);
  return asked === null ? null : Math.min(asked, MAX_RETRY_AFTER_MS);
}

function askedMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const exact = nonNegative(headers['retry-after-ms']);
  if (exact !== null) return Math.ceil(exact);
  const text = headers['retry-after'];
  const seconds = nonNegative(text);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  const date = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function nonNegative(text: string | undefined): number | null {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return null;
  return Number(text);
}

/** Whether the same request may succeed later, by its HTTP status. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}
