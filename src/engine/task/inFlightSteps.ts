/** Work of one task that goes on in this process, by what it is for: each piece has a place of the workspace's and can be told to stop. */
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
  /** What `carryOut` threw, as a result; or it throws itself. */
  failed(thrown: unknown): StepResult;
  /** One came to its end. `thrown`: what it could not be gone on with, if anything. */
  landed(thrown: unknown): void;
  /** One that was told to stop is not begun again before `release`. */
  held(): void;
}

export class InFlightSteps {
  readonly #options: InFlightOptions;
  readonly #flights = new Map<string, Flight>();
  readonly #places = new Set<string>();
  /** Told to stop, or not possible now. */
  readonly #held = new Set<string>();
  #offered = false;

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  /** It is its turn to take a place; until the next turn is over. */
  offer(isOffered: boolean): void {
    this.#offered = isOffered;
  }

  /** Whether it goes on, or is not to be begun before something changes. */
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

  /** Gives back the places of what was not begun after all: its task was paused or ended just then. */
  leaveUnused(): void {
    for (const key of [...this.#places]) if (!this.#flights.has(key)) this.leave(key);
  }

  /** Begins it where there is a place. Its end is told by `took`, unless it was told to stop. */
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
