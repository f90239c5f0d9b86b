/** At most one run per interval, the last one never lost. */
import type { Clock } from '../../shared/clock.ts';

export interface Throttle {
  ask(): void;
  dispose(): void;
}

export function throttle(clock: Clock, ms: number, run: () => void): Throttle {
  let stop: (() => void) | null = null;
  let asked = false;
  const settle = (): void => {
    stop = null;
    if (!asked) return;
    asked = false;
    run();
    stop = clock.timer(ms, settle);
  };
  return {
    ask: () => {
      asked = true;
      // The first of a burst waits a moment for the others.
      stop ??= clock.timer(Math.min(ms, 16), settle);
    },
    dispose: () => {
      stop?.();
      stop = null;
      asked = false;
    },
  };
}
