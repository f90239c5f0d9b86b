/** Limits the concurrent work of steps in a workspace: slots, assigned in the order in which tasks requested them. */
export class StepSemaphore {
  readonly #offer: (taskId: string) => void;
  readonly #waiting = new Set<string>();
  #free: number;

  /** `offer` is called when it may be a task's turn. The task takes a slot or not, then calls `pass`. */
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
