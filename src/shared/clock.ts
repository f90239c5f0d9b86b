/**
 * Time as a port, so that tests control it. `now` is wall-clock epoch milliseconds; `monotonic` never decreases, and may advance while the machine
 * sleeps.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms` of awake time; returns a cancel function. */
  timer(ms: number, run: () => void): () => void;
}

const TO_THE_MINUTE = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/;

/** Formats a time for models, in UTC: `2026-11-24 09:41`. Returns text that is not an ISO 8601 time in UTC unchanged. */
export function minuteText(iso: string): string {
  return iso.replace(TO_THE_MINUTE, '$1 $2');
}

export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
