/** A bell that wakes one loop, and the stop signals of this process that ring it. */
import { failure } from '../../../shared/errors.ts';
import type { TerminalDeps } from '../world.ts';

export interface Bell {
  ring(): void;
  /** Resolves at the next ring. Take it before looking at what may have changed. */
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
  /** How often the user asked to stop. */
  readonly times: number;
  readonly bell: Bell;
  /** Resolves at the second time: nothing is waited for any more. */
  readonly killed: Promise<void>;
  /** What is waited for, unless the user does not wait: then an ABORTED failure. */
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
