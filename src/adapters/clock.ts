/** The real clock: the only file of src/ that reads the time or sets a timer. */
import type { Clock } from '../shared/clock.ts';

/** Limit of a single timer, so that the end of a sleep of the machine is noticed at most this late. */
const SLICE_MS = 10_000;
/** A slice that is later than this counts as time asleep. */
const LATE_MS = 2_000;

/** The clocks and timers of a machine. */
export interface Machine {
  now(): number;
  monotonic(): number;
  /** Runs once; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

const THIS_MACHINE: Machine = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
};

/**
 * `sleep` ends when either clock has reached its time: a wake-up set for tomorrow fires within a slice of the machine
 * waking up, and a wall clock set back delays nothing. `timer` counts awake time only: a watchdog does not fire because
 * of a closed lid.
 */
export function systemClock(machine: Machine = THIS_MACHINE): Clock {
  return {
    now: () => machine.now(),
    monotonic: () => machine.monotonic(),
    sleep: (ms, signal) => sleep(machine, ms, signal),
    timer: (ms, run) => timer(machine, ms, run),
  };
}

function sleep(machine: Machine, ms: number, signal?: AbortSignal): Promise<void> {
  const wallEnd = machine.now() + ms;
  const end = machine.monotonic() + ms;
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const step = () => {
      const left = Math.min(end - machine.monotonic(), wallEnd - machine.now());
      if (left > 0) {
        cancel = machine.after(Math.min(Math.ceil(left), SLICE_MS), step);
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

function timer(machine: Machine, ms: number, run: () => void): () => void {
  let left = Math.max(0, ms);
  let cancel = (): void => undefined;
  const arm = () => {
    const slice = Math.min(left, SLICE_MS);
    const start = machine.monotonic();
    cancel = machine.after(slice, () => {
      left -= Math.max(slice, Math.min(machine.monotonic() - start, slice + LATE_MS));
      if (left > 0) arm();
      else run();
    });
  };
  arm();
  return () => cancel();
}
