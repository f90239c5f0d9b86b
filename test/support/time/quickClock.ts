/**
 * The real clock, but faster: a back-off of half a minute is over in half a second. Slow down before you close an owner. Or time is
 * skipped: then nothing is late that was not waited for.
 */
import { systemClock } from '../../../src/adapters/clock.ts';
import type { Clock } from '../../../src/shared/clock.ts';

interface Pending {
  readonly at: number;
  run: () => void;
}

export class QuickClock implements Clock {
  readonly #real = systemClock();
  #speed: number;
  #realAt = this.#real.monotonic();
  #monotonic = 0;
  #wall: number;
  readonly #pending = new Set<Pending>();

  constructor({ speed = 1, now }: { readonly speed?: number; readonly now?: number } = {}) {
    this.#speed = speed;
    this.#wall = now ?? this.#real.now();
  }

  set speed(speed: number) {
    this.#goOn();
    this.#speed = speed;
  }

  now(): number {
    this.#goOn();
    return Math.floor(this.#wall);
  }

  monotonic(): number {
    this.#goOn();
    return this.#monotonic;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const end = this.monotonic() + ms;
    do await this.#timed(end - this.monotonic(), signal);
    while (this.monotonic() < end);
  }

  timer(ms: number, run: () => void): () => void {
    const pending: Pending = { at: this.monotonic() + ms, run: () => undefined };
    const cancel = this.#real.timer(ms / this.#speed, () => pending.run());
    const stop = (): void => {
      cancel();
      this.#pending.delete(pending);
    };
    pending.run = () => {
      stop();
      run();
    };
    this.#pending.add(pending);
    return stop;
  }

  /** Both clocks go on by so much; what falls due until then runs, in order. */
  skip(ms: number): void {
    this.#goOn();
    this.#monotonic += ms;
    this.#wall += ms;
    const due = [...this.#pending].filter(({ at }) => at <= this.#monotonic);
    for (const { run } of due.sort((one, other) => one.at - other.at)) run();
  }

  #timed(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.timer(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      return signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #goOn(): void {
    const real = this.#real.monotonic();
    const passed = (real - this.#realAt) * this.#speed;
    this.#realAt = real;
    this.#monotonic += passed;
    this.#wall += passed;
  }
}
