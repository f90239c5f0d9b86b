/** A machine whose time is played: it works, sleeps, stalls, and somebody sets its clock. The truth about all of that is here. */
import type { Machine } from '../../../src/adapters/clock.ts';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

export class VirtualMachine implements Machine {
  #wall: number;
  #monotonic = 0;
  readonly #sleepCounts: boolean;
  readonly #due = new Set<Due>();
  /** Time that it was awake in all: what no clock of its own tells. */
  awakeMs = 0;
  /** Time in which its event loop did nothing, though awake. */
  stalledMs = 0;
  /** How often it slept. */
  sleeps = 0;

  /** `sleepCounts`: its monotonic clock goes on while it sleeps, as those of macOS and Windows do. */
  constructor(wall: number, sleepCounts: boolean) {
    this.#wall = wall;
    this.#sleepCounts = sleepCounts;
  }

  now(): number {
    return Math.floor(this.#wall);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(ms: number, run: () => void): () => void {
    const due = { at: this.#monotonic + Math.max(1, ms), run };
    this.#due.add(due);
    return () => this.#due.delete(due);
  }

  /** Works for so long: what falls due runs in order, and so does all that follows from it. */
  async work(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await turn();
    for (;;) {
      let next: Due | null = null;
      for (const due of this.#due) if (due.at <= end && (next === null || due.at < next.at)) next = due;
      if (next === null) break;
      this.#due.delete(next);
      this.#pass(Math.max(0, next.at - this.#monotonic));
      next.run();
      await turn();
    }
    this.#pass(end - this.#monotonic);
  }

  sleep(ms: number): void {
    this.sleeps++;
    this.#wall += ms;
    if (this.#sleepCounts) this.#monotonic += ms;
  }

  /** Awake, but its event loop is held up: what falls due meanwhile all comes at once after it. */
  stall(ms: number): void {
    this.stalledMs += ms;
    this.#pass(ms);
  }

  setWall(by: number): void {
    this.#wall += by;
  }

  #pass(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
    this.awakeMs += ms;
  }
}

/** What follows from a callback without any time passing, as far as a few turns go. */
async function turn(): Promise<void> {
  for (let times = 0; times < 24; times++) await Promise.resolve();
}
