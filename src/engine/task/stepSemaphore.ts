/** How much work of steps goes on in a workspace at once: places, given in the order in which tasks asked for one. */
export class StepSemaphore {
  readonly #offer: (taskId: string) => void;
  readonly #waiting = new Set<string>();
  #free: number;

  /** `offer`: it may be this task's turn now; it takes a place or leaves it, and says `pass` when it has looked. */
  constructor(count: number, offer: (taskId: string) => void) {
    this.#free = count;
    this.#offer = offer;
  }

  /** Whether there was a place; else the task is offered one later. `offered`: it is its turn. */
  take(taskId: string, offered: boolean): boolean {
    if (this.#free > 0 && (offered || this.#waiting.size === 0)) {
      this.#free--;
      return true;
    }
    this.#waiting.add(taskId);
    return false;
  }

  release(): void {
    this.#free++;
    this.pass();
  }

  /** The next one, where a place is free. */
  pass(): void {
    const [first] = this.#waiting;
    if (this.#free === 0 || first === undefined) return;
    this.#waiting.delete(first);
    this.#offer(first);
  }
}
