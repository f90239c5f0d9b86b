/** Times at which something is due, by name, on one timer: the next one. */
import type { Clock } from '../shared/clock.ts';

export class Alarms {
  readonly #clock: Clock;
  readonly #ring: (name: string) => void;
  /** By the clock that never goes back. */
  readonly #due = new Map<string, number>();
  #armedFor = Number.POSITIVE_INFINITY;
  #cancel = (): void => undefined;

  constructor(clock: Clock, ring: (name: string) => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings once, this much later; an earlier setting of the name counts no more. */
  set(name: string, inMs: number): void {
    const at = this.#clock.monotonic() + inMs;
    this.#due.set(name, at);
    if (at < this.#armedFor) this.#arm(at);
  }

  clear(name: string): void {
    this.#due.delete(name);
    if (this.#due.size === 0) this.#disarm();
  }

  close(): void {
    this.#due.clear();
    this.#disarm();
  }

  #disarm(): void {
    this.#cancel();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #arm(at: number): void {
    this.#cancel();
    this.#armedFor = at;
    this.#cancel = this.#clock.timer(Math.max(0, at - this.#clock.monotonic()), () => this.#goOff());
  }

  #goOff(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    for (const [name, at] of [...this.#due]) {
      if (at > now || this.#due.get(name) !== at) continue;
      this.#due.delete(name);
      this.#ring(name);
    }
    const next = Math.min(...this.#due.values());
    if (Number.isFinite(next) && next < this.#armedFor) this.#arm(next);
  }
}
