/** Measures a duration without the time in which the machine was asleep. */
import type { Clock } from '../../shared/clock.ts';

const TICK_MS = 10_000;
/** Maximum delay of a tick. A longer delay counts as time asleep. */
const LATE_MS = 2_000;

/**
 * Some machines' monotonic clocks advance during sleep, so the time counted between two ticks is at most the time that a tick takes on an awake
 * machine.
 */
export class Stopwatch {
  readonly #clock: Clock;
  #counted = 0;
  /** Last reading of the monotonic clock. Null while the stopwatch is stopped. */
  #seen: number | null = null;
  #cancel = (): void => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts the stopwatch, which runs until `stop`. */
  start(): void {
    if (this.#seen !== null) return;
    this.#seen = this.#clock.monotonic();
    this.#tick();
  }

  stop(): void {
    this.#settle();
    this.#seen = null;
    this.#cancel();
  }

  /** Resets the count to zero, whether the stopwatch is running or stopped. */
  reset(): void {
    this.#settle();
    this.#counted = 0;
  }

  get ms(): number {
    this.#settle();
    return this.#counted;
  }

  #tick(): void {
    this.#settle();
    this.#cancel = this.#clock.timer(TICK_MS, () => this.#tick());
  }

  #settle(): void {
    if (this.#seen === null) return;
    const now = this.#clock.monotonic();
    this.#counted += Math.min(now - this.#seen, TICK_MS + LATE_MS);
    this.#seen = now;
  }
}
