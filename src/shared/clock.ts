/** Time as a port, so that tests own it. `now` is wall-clock epoch milliseconds; `monotonic` never goes back, and may go on while the machine sleeps. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms` of awake time; returns a cancel function. */
  timer(ms: number, run: () => void): () => void;
}

export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
