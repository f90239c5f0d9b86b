/** Runs the work of one task in this process, by its purpose: each piece holds a slot of the workspace and can be aborted. */
import type { StepResult } from '../../shared/task/taskWork.ts';
import type { StepSemaphore } from './stepSemaphore.ts';

export type CarryOut = (signal: AbortSignal) => Promise<StepResult>;

interface Flight {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export interface InFlightOptions {
  readonly taskId: string;
  readonly semaphore: StepSemaphore;
  /** Aborted when the owner stops. */
  readonly closing: AbortSignal;
  /** Converts an error of `carryOut` to a result, or throws one. */
  failed(thrown: unknown): StepResult;
  /** Called when a step ended. `thrown` is the error that prevents its continuation, if any. */
  landed(thrown: unknown): void;
  /** An aborted step is not started again before `release`. */
  held(): void;
}

export class InFlightSteps {
  readonly #options: InFlightOptions;
  readonly #flights = new Map<string, Flight>();
  readonly #places = new Set<string>();
  /** Aborted, or not possible now. */
  readonly #held = new Set<string>();
  #offered = false;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  /** Sets whether it is this task's turn to take a slot, until the next turn has ended. */
  offer(isOffered: boolean): void {
    this.#offered = isOffered;
  }

  /** Whether the work is running, or must not start before something changes. */
  isBusy(key: string): boolean {
    return this.#flights.has(key) || this.#held.has(key);
  }

  hold(key: string): void {
    this.#held.add(key);
    this.#options.held();
  }

  release(): void {
    this.#held.clear();
  }

  /** Takes a place for it; else the task is offered one later. */
  place(key: string): boolean {
    if (this.#places.has(key)) return true;
    const { semaphore, taskId } = this.#options;
    const isThere = semaphore.take(taskId, this.#offered);
    this.#offered = false;
    if (isThere) this.#places.add(key);
    return isThere;
  }

  leave(key: string): void {
    if (this.#places.delete(key)) this.#options.semaphore.release();
  }

  /** Releases the slots of work that was not started after all, because its task was paused or ended just then. */
  leaveUnused(): void {
    for (const key of [...this.#places]) if (!this.#flights.has(key)) this.leave(key);
  }

  /** Starts the work if there is a slot. `took` receives its result, unless it was aborted. */
  begin(key: string, carryOut: CarryOut, took: (result: StepResult) => Promise<void> | void): void {
    if (!this.place(key)) return;
    const abort = new AbortController();
    const done = this.#fly(abort, carryOut, took)
      .then(
        () => undefined,
        (thrown: unknown) => {
          this.#held.add(key);
          return thrown;
        },
      )
      .then((thrown) => {
        this.#flights.delete(key);
        this.leave(key);
        this.#options.landed(thrown);
      });
    this.#flights.set(key, { abort, done });
  }

  stop(): void {
    for (const { abort } of this.#flights.values()) abort.abort();
  }

  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#flights.values(), ({ done }) => done));
  }

  async #fly(
    abort: AbortController,
    carryOut: CarryOut,
    took: (result: StepResult) => Promise<void> | void,
  ): Promise<void> {
    const { closing, failed } = this.#options;
    let result: StepResult;
    try {
      result = await carryOut(AbortSignal.any([abort.signal, closing]));
    } catch (thrown) {
      result = failed(thrown);
    }
    if (!abort.signal.aborted) await took(result);
  }
}
