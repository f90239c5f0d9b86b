/** Follows the work of an owner in another process. Without it, a window could only show the stored statuses. */

import { findFailure } from '../../../shared/errors.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';

interface Asked {
  atWork(): Promise<AtWork>;
}

export class OwnerWork {
  readonly #owner: Asked;
  readonly #changed: () => void;
  #known: AtWork | null = null;
  #asking = false;
  /** Something happened while a call was in flight. */
  #again = false;

  constructor(owner: Asked, changed: () => void) {
    this.#owner = owner;
    this.#changed = changed;
    this.ask();
  }

  /** Null before the first answer, and if the owner is of a version that cannot answer: then the statuses count. */
  get known(): AtWork | null {
    return this.#known;
  }

  /** Asks the owner again. Calls during a request are combined into one request after it. */
  ask(): void {
    this.#again = this.#asking;
    if (!this.#asking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    try {
      const now = await this.#owner.atWork();
      const isSame = JSON.stringify(now) === JSON.stringify(this.#known);
      this.#known = now;
      if (!isSame) this.#changed();
    } catch (thrown) {
      // Otherwise the connection is lost: the window connects again, and follows the next owner.
      if (findFailure(thrown)?.code === 'NOT_FOUND') this.#known = null;
    }
    this.#asking = false;
    if (this.#again) this.ask();
  }
}
