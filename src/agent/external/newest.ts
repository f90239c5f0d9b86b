/** Shows what is said, the newest alone where it comes faster than anyone reads: each line goes to every window. */
import type { Clock } from '../../shared/clock.ts';

export interface Newest {
  say(text: string): void;
  /** Nothing is shown from here on. */
  stop(): void;
}

export function newestOf(clock: Clock, everyMs: number, show: (text: string) => void): Newest {
  let waiting: string | null = null;
  let cancel: (() => void) | null = null;
  const rested = (): void => {
    cancel = null;
    if (waiting !== null) shown(waiting);
  };
  const shown = (text: string): void => {
    waiting = null;
    cancel = clock.timer(everyMs, rested);
    show(text);
  };
  return {
    say: (text) => {
      if (cancel === null) shown(text);
      else waiting = text;
    },
    stop: () => {
      cancel?.();
      cancel = (): void => undefined;
      waiting = null;
    },
  };
}
