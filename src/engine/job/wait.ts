/** A wait for a time of day that no clock can make endless. */
import type { Clock } from '../../shared/clock.ts';

/** Found with a time further away than any that we wait for, a clock was put back meanwhile: then it is looked again. */
const LONGEST_MS = 26 * 60 * 60_000;

/** Over when the wall clock is there, or when as much time has gone by as was missing when it was begun: a clock that is put back prolongs nothing. */
export class Wait {
  readonly until: string;
  readonly #clock: Clock;
  readonly #end: number;

  constructor(clock: Clock, until: string) {
    this.until = until;
    this.#clock = clock;
    this.#end = clock.monotonic() + Math.min(Date.parse(until) - clock.now(), LONGEST_MS);
  }

  /** At most 0: it is over. */
  get leftMs(): number {
    return Math.min(Date.parse(this.until) - this.#clock.now(), this.#end - this.#clock.monotonic());
  }
}
