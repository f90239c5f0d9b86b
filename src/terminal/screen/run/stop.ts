/** A bell that wakes one loop, and the stop signals of this process that ring it. */
import { failure } from '../../../shared/errors.ts';
import type { TerminalDeps } from '../world.ts';

export interface Bell {
  ring(): void;
  /** Resolves at the next ring. Call it before checking for changes. */
  next(): Promise<void>;
}

function createBell(): Bell {
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    ring() {
      resolve();
      ({ promise, resolve } = Promise.withResolvers<void>());
    },
    next: () => promise,
  };
}

export interface Stop {
  /** Number of stop requests by the user. */
  readonly times: number;
  readonly bell: Bell;
  /** Resolves at the second request: nothing is awaited after that. */
  readonly killed: Promise<void>;
  /** Awaits `work`. Throws ABORTED if the user does not wait for it. */
  orKilled<T>(work: Promise<T>): Promise<T>;
  forget(): void;
}

export function watchStop(signals: TerminalDeps['signals']): Stop {
  const bell = createBell();
  const { promise: killed, resolve: kill } = Promise.withResolvers<void>();
  let count = 0;
  const forget = signals.onStop((times) => {
    count = Math.max(count + 1, times);
    if (count >= 2) kill();
    bell.ring();
  });
  return {
    get times() {
      return count;
    },
    bell,
    killed,
    orKilled: (work) =>
      Promise.race([
        work,
        killed.then(() => {
          throw failure('ABORTED', 'stopped at once');
        }),
      ]),
    forget,
  };
}
