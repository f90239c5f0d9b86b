/** Time that stands still until a test moves it. */
import type { Clock } from '../../../src/shared/clock.ts';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

export interface FakeClockOptions {
  /** Wall-clock epoch milliseconds at the start. */
  readonly now?: number;
  /** Sleeps end at once and move the time by what they asked for: for tests that only care how long was waited. */
  readonly skipSleeps?: boolean;
}

export class FakeClock implements Clock {
  /** Every sleep that was asked for, in milliseconds. */
  readonly slept: number[] = [];
  #monotonic = 0;
  #wall: number;
  readonly #skipSleeps: boolean;
  readonly #due = new Set<Due>();

  constructor(options: FakeClockOptions = {}) {
    this.#wall = options.now ?? Date.UTC(2026, 10, 21, 12);
    this.#skipSleeps = options.skipSleeps ?? false;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    if (this.#skipSleeps) {
      await Promise.resolve();
      this.advance(ms);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const cancel = this.timer(ms, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    });
  }

  timer(ms: number, run: () => void): () => void {
    const due = { at: this.#monotonic + ms, run };
    this.#due.add(due);
    return () => this.#due.delete(due);
  }

  /** Timers and sleeps that are not over. */
  get pending(): number {
    return this.#due.size;
  }

  /** Both clocks go on; what falls due runs, in order. */
  advance(ms: number): void {
    const end = this.#monotonic + ms;
    for (;;) {
      const [next] = [...this.#due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due.delete(next);
      this.#step(next.at);
      next.run();
    }
    this.#step(end);
  }

  /** Somebody sets the wall clock; nothing falls due. */
  setWall(now: number): void {
    this.#wall = now;
  }

  #step(to: number): void {
    this.#wall += Math.max(0, to - this.#monotonic);
    this.#monotonic = Math.max(to, this.#monotonic);
  }
}
