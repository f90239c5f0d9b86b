/** Times at which something is due, by name, on one timer: the next one. */
import type { Clock } from '../../shared/clock.ts';

/** Whichever comes first: so much awake time later, or the wall clock's `at` (epoch milliseconds). */
export interface Due {
  readonly inMs?: number;
  readonly at?: number;
}

/** A wall clock may be set, and a machine may sleep: it is looked at this often. */
const WALL_CHECK_MS = 15_000;

interface Entry {
  /** Monotonic time. */
  readonly after: number;
  readonly at: number;
}

export class Alarms {
  readonly #clock: Clock;
  readonly #ring: (name: string) => void;
  readonly #due = new Map<string, Entry>();
  #armedFor = Number.POSITIVE_INFINITY;
  #cancel = (): void => undefined;

  constructor(clock: Clock, ring: (name: string) => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings once; an earlier setting of the name counts no more. */
  set(name: string, { inMs = Number.POSITIVE_INFINITY, at = Number.POSITIVE_INFINITY }: Due): void {
    const entry = { after: this.#clock.monotonic() + inMs, at };
    this.#due.set(name, entry);
    const look = this.#lookAt(entry);
    // The timer counts awake time only. If the clock kept running during a sleep, the alarm is overdue.
    const behind = this.#armedFor < this.#clock.monotonic();
    if (behind || look < this.#armedFor) this.#arm(behind ? 0 : look);
  }

  has(name: string): boolean {
    return this.#due.has(name);
  }

  clear(name: string): void {
    this.#due.delete(name);
    if (this.#due.size === 0) this.#disarm();
  }

  close(): void {
    this.#due.clear();
    this.#disarm();
  }

  /** When to check the entry, by the monotonic clock. */
  #lookAt({ after, at }: Entry): number {
    if (at === Number.POSITIVE_INFINITY) return after;
    const left = Math.min(Math.max(0, at - this.#clock.now()), WALL_CHECK_MS);
    return Math.min(after, this.#clock.monotonic() + left);
  }

  #disarm(): void {
    this.#cancel();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #arm(look: number): void {
    this.#cancel();
    this.#armedFor = look;
    this.#cancel = this.#clock.timer(Math.max(0, look - this.#clock.monotonic()), () => this.#goOff());
  }

  #goOff(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    const wall = this.#clock.now();
    for (const [name, entry] of [...this.#due]) {
      if ((entry.after > now && entry.at > wall) || this.#due.get(name) !== entry) continue;
      this.#due.delete(name);
      this.#ring(name);
    }
    let next = Number.POSITIVE_INFINITY;
    for (const entry of this.#due.values()) next = Math.min(next, this.#lookAt(entry));
    if (next < this.#armedFor) this.#arm(next);
  }
}
