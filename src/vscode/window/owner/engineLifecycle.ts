/** The engines of a window, one after the other: never two at once. An engine that opens too late is closed. */
import { asFailure } from '../../../shared/errors.ts';

interface Closing {
  close(): Promise<void>;
}

export class EngineLifecycle<T extends Closing> {
  readonly #debug: (text: string) => void;
  #generation = 0;
  #coming: Promise<unknown> | null = null;
  #cleared: Promise<unknown> = Promise.resolve();

  constructor(debug: (text: string) => void) {
    this.#debug = debug;
  }

  /** Increases whenever the current engine, or the one that is being opened, is dropped. */
  get generation(): number {
    return this.#generation;
  }

  /** Resolves when everything of the generations before is closed; never rejects. */
  get cleared(): Promise<unknown> {
    return this.#cleared;
  }

  /** Neither `gone` nor what is being opened is wanted any more. */
  next(gone: T | null): void {
    this.#generation++;
    this.#cleared = Promise.allSettled([this.#cleared, this.#coming, gone === null ? null : this.#close(gone)]);
  }

  /** Closes an engine that belongs to an earlier generation. */
  async open(open: () => Promise<T>): Promise<T> {
    const generation = this.#generation;
    const coming = open().then(async (engine) => {
      if (generation !== this.#generation) await this.#close(engine);
      return engine;
    });
    this.#coming = coming;
    return coming;
  }

  async #close(gone: T): Promise<void> {
    try {
      await gone.close();
    } catch (thrown) {
      // The underlying connection is already closed.
      this.#debug(asFailure(thrown).message);
    }
  }
}
