/** Time as a port, so that tests own it. `now` is wall-clock epoch milliseconds; `monotonic` never goes back, and may go on while the machine sleeps. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms` of awake time; returns a cancel function. */
  timer(ms: number, run: () => void): () => void;
}

const TO_THE_MINUTE = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/;

/** A time as models read it, in UTC: `2026-11-24 09:41`. Anything but an ISO 8601 time in UTC is returned as it is. */
export function minuteText(iso: string): string {
  return iso.replace(TO_THE_MINUTE, '$1 $2');
}

export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
