/** The real clock, but faster: a back-off of half a minute is over in half a second. Slow down before you close an owner. */
import { systemClock } from '../../src/adapters/clock.ts';
import type { Clock } from '../../src/shared/clock.ts';

export class QuickClock implements Clock {
  readonly #real = systemClock();
  #speed: number;
  #realAt = this.#real.monotonic();
  #monotonic = 0;
  #wall: number;

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

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#real.sleep(ms / this.#speed, signal);
  }

  timer(ms: number, run: () => void): () => void {
    return this.#real.timer(ms / this.#speed, run);
  }

  #goOn(): void {
    const real = this.#real.monotonic();
    const passed = (real - this.#realAt) * this.#speed;
    this.#realAt = real;
    this.#monotonic += passed;
    this.#wall += passed;
  }
}
