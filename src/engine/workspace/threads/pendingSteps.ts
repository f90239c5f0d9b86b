/** Steps of tasks that a project's thread carries out, or will as soon as there is one. */
import type { StepAssignment, StepResult } from '../../../shared/task/taskWork.ts';
import type { ProjectThread } from '../../project/threadPorts.ts';

type StepThread = Pick<ProjectThread, 'step' | 'abortStep'>;

interface Held {
  readonly order: StepAssignment;
  /** Null if the step is not yet assigned to a thread. */
  thread: StepThread | null;
  end(result: StepResult): void;
}

export class PendingSteps {
  readonly #held = new Map<number, Held>();
  readonly #over: () => void;
  #runs = 0;

  /** `over` is called whenever a step ends. */
  constructor(over: () => void) {
    this.#over = over;
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Some are in a thread now. */
  get areGiven(): boolean {
    return [...this.#held.values()].some(({ thread }) => thread !== null);
  }

  take(order: StepAssignment, signal: AbortSignal): Promise<StepResult> {
    const run = ++this.#runs;
    return new Promise((resolve) => {
      const abort = (): void => {
        const held = this.#held.get(run);
        if (held?.thread === null) held.end({ outcome: 'aborted' });
        else held?.thread.abortStep(run);
      };
      const end = (result: StepResult): void => {
        signal.removeEventListener('abort', abort);
        if (!this.#held.delete(run)) return;
        resolve(signal.aborted && result.outcome === 'interrupted' ? { outcome: 'aborted' } : result);
        this.#over();
      };
      this.#held.set(run, { order, thread: null, end });
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** All steps without a thread. */
  give(thread: StepThread): void {
    for (const [run, held] of this.#held) {
      if (held.thread !== null) continue;
      held.thread = thread;
      void thread.step(run, held.order).then(held.end);
    }
  }

  /** Steps without a thread end like this; the steps of a thread end with it. */
  drop(result: StepResult): void {
    for (const held of [...this.#held.values()]) if (held.thread === null) held.end(result);
  }
}
