/** Limits runs to one per interval, and to a fifth of the time if runs are slow. The last call always runs. */
import type { Clock } from '../../shared/clock.ts';

const SHARE = 5;

export interface Throttle {
  ask(): void;
  dispose(): void;
}

/** The next run starts after the previous one, also if that failed. Errors are not caught here. */
export function throttle(clock: Clock, ms: number, run: () => void | Promise<void>): Throttle {
  let stop: (() => void) | null = null;
  let asked = false;
  let busy = false;
  let disposed = false;
  const rest = (began: number): void => {
    busy = false;
    if (!disposed) stop = clock.timer(Math.max(ms, (clock.monotonic() - began) * (SHARE - 1)), settle);
  };
  const settle = (): void => {
    stop = null;
    if (!asked) return;
    asked = false;
    busy = true;
    const began = clock.monotonic();
    let running: void | Promise<void>;
    try {
      running = run();
    } catch (thrown) {
      rest(began);
      throw thrown;
    }
    if (running === undefined) rest(began);
    else void running.finally(() => rest(began));
  };
  return {
    ask: () => {
      asked = true;
      // Wait briefly after the first call of a burst, so that one run covers all.
      if (!busy) stop ??= clock.timer(Math.min(ms, 16), settle);
    },
    dispose: () => {
      disposed = true;
      stop?.();
      stop = null;
      asked = false;
    },
  };
}
