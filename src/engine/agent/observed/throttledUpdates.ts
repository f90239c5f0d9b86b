/**
 * Throttles live text: if updates arrive faster than people read, only the newest is shown, because each update is sent to every
 * window.
 */
import type { Clock } from '../../../shared/clock.ts';

export interface ThrottledUpdates<T> {
  say(value: T): void;
  /** Shows the waiting value now. */
  flush(): void;
  /** Shows nothing more. */
  stop(): void;
}

export function throttledUpdates<T>(clock: Clock, everyMs: number, show: (value: T) => void): ThrottledUpdates<T> {
  let waiting: { readonly value: T } | null = null;
  let cancel: (() => void) | null = null;
  const rested = (): void => {
    cancel = null;
    if (waiting !== null) shown(waiting.value);
  };
  const shown = (value: T): void => {
    waiting = null;
    cancel = clock.timer(everyMs, rested);
    show(value);
  };
  return {
    say: (value) => {
      if (cancel === null) shown(value);
      else waiting = { value };
    },
    flush: () => {
      const last = waiting;
      waiting = null;
      if (last !== null) show(last.value);
    },
    stop: () => {
      cancel?.();
      cancel = (): void => undefined;
      waiting = null;
    },
  };
}
