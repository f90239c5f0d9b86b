/** How long something went on while the machine was awake. */
import type { Clock } from '../../shared/clock.ts';

const TICK_MS = 10_000;
/** What a tick may be late before the rest is taken for time asleep. */
const LATE_MS = 2_000;

/** Some machines' monotonic clocks go on while they sleep: between two ticks no more counts than an awake one can take. */
export class Stopwatch {
  readonly #clock: Clock;
  #counted = 0;
  /** By the clock that never goes back; null: it stands. */
  #seen: number | null = null;
  #cancel = (): void => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It ticks until `stop`. */
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

  /** From nothing, whether it runs or stands. */
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
