/** A circuit breaker for all calls to a provider: while it is open, no call is sent. */
import { backoffMs, MAX_WAIT_MS, MIN_GIVE_UP_MS } from '../../../core/model/backoff.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, failure } from '../../../shared/errors.ts';

export class Circuit {
  readonly #clock: Clock;
  readonly #random: () => number;
  #failures = 0;
  /** Rises with each failure that counted: calls that ran at the same time count as one failure. */
  #generation = 0;
  /**
   * End of the pause by the monotonic clock and by the wall clock, which a machine's sleep does not stop. The earlier
   * of the two counts.
   */
  #openUntil = Number.NEGATIVE_INFINITY;
  #openUntilWall = Number.NEGATIVE_INFINITY;
  #reason = '';

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Resolves when a call may leave, with the mark for `failed`. Throws MODEL_UNAVAILABLE instead of waiting longer than
   * a minute.
   */
  async pass(sleep: (ms: number) => Promise<void>): Promise<number> {
    for (let wait = this.waitMs(); wait > 0; wait = this.waitMs()) {
      if (wait > MAX_WAIT_MS) throw this.unavailable(this.#reason);
      await sleep(wait);
    }
    return this.#generation;
  }

  failed(mark: number, reason: string, retryAfterMs: number | null): void {
    if (mark === this.#generation) {
      this.#generation++;
      this.#failures++;
      this.#open(backoffMs(this.#failures, this.#random(), retryAfterMs), reason);
    } else {
      this.#open(retryAfterMs ?? 0, reason);
    }
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Why it is open. */
  get reason(): string {
    return this.#reason;
  }

  /** Closes the circuit: queued calls leave at once. A failure opens it again, for longer than before. */
  close(): void {
    this.#openUntil = Number.NEGATIVE_INFINITY;
    this.#openUntilWall = Number.NEGATIVE_INFINITY;
  }

  waitMs(): number {
    const left = Math.min(this.#openUntil - this.#clock.monotonic(), this.#openUntilWall - this.#clock.now());
    return Math.max(0, left);
  }

  /** The failure of a call that is given up. */
  unavailable(reason: string, ownWaitMs = 0): AutonomousError {
    const wait = Math.max(this.waitMs(), ownWaitMs, MIN_GIVE_UP_MS);
    return failure('MODEL_UNAVAILABLE', `the model cannot be reached: ${reason}`, {
      hint: 'The work continues automatically when the provider answers again.',
      details: { reason, retryAtMs: Math.ceil(this.#clock.now() + wait) },
    });
  }

  #open(ms: number, reason: string): void {
    if (ms <= this.waitMs()) return;
    this.#openUntil = this.#clock.monotonic() + ms;
    this.#openUntilWall = this.#clock.now() + ms;
    this.#reason = reason;
  }
}
