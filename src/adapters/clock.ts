/** The real clock: the only file of src/ that reads the time or sets a timer. */
import type { Clock } from '../shared/clock.ts';

/** Longest single timer. Short, so that a machine that slept notices at most this late. */
const SLICE_MS = 10_000;
/** What a slice may be late before the rest is taken for time asleep. */
const LATE_MS = 2_000;

/**
 * `sleep` ends when either clock says so: a wake-up set for tomorrow fires within a slice of the machine waking up, and a
 * wall clock set back delays nothing. `timer` counts awake time only: a watchdog does not bite because of a closed lid.
 */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep,
    timer,
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const wallEnd = Date.now() + ms;
  const end = performance.now() + ms;
  return new Promise((resolve, reject) => {
    let handle: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(handle);
      reject(signal?.reason);
    };
    const step = () => {
      const left = Math.min(end - performance.now(), wallEnd - Date.now());
      if (left > 0) {
        handle = setTimeout(step, Math.min(Math.ceil(left), SLICE_MS));
        return;
      }
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    step();
  });
}

function timer(ms: number, run: () => void): () => void {
  let left = Math.max(0, ms);
  let handle: NodeJS.Timeout | undefined;
  const arm = () => {
    const slice = Math.min(left, SLICE_MS);
    const start = performance.now();
    handle = setTimeout(() => {
      left -= Math.max(slice, Math.min(performance.now() - start, slice + LATE_MS));
      if (left > 0) arm();
      else run();
    }, slice);
  };
  arm();
  return () => clearTimeout(handle);
}
