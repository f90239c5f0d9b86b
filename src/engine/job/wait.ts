/** A wait for a time of day that no clock can make endless. */
import type { Clock } from '../../shared/clock.ts';

/** Found with a time further away than any that we wait for, a clock was put back meanwhile: then it is looked again. */
const LONGEST_MS = 26 * 60 * 60_000;

/**
 * Ends when the wall clock reaches the time, or when as much time has passed as was missing at the start, so that a clock that is
 * set back does not prolong the wait.
 */
export class Wait {
  readonly until: string;
  readonly #clock: Clock;
  readonly #end: number;

  constructor(clock: Clock, until: string) {
    this.until = until;
    this.#clock = clock;
    this.#end = clock.monotonic() + Math.min(Date.parse(until) - clock.now(), LONGEST_MS);
  }

  /** Remaining milliseconds. At most 0 if the wait has ended. */
  get leftMs(): number {
    return Math.min(Date.parse(this.until) - this.#clock.now(), this.#end - this.#clock.monotonic());
  }
}
