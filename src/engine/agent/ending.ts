/** Records why a running turn must end. The first reason counts, whatever the agent reports later. */
import { readCallFailure } from '../session/failures.ts';
import type { EndReason, SessionResult } from '../session/ports.ts';

export type Why =
  | { readonly kind: 'aborted' }
  | { readonly kind: 'ended'; readonly reason: EndReason; readonly detail: string }
  /** The provider or the budget refused a call. */
  | { readonly kind: 'result'; readonly result: (turns: number) => SessionResult }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  /** The answer was received. */
  | { readonly kind: 'settled' };

export class Ending {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal;
  readonly #aborted = (): void => this.end({ kind: 'aborted' });
  #why: Why | null = null;

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    if (outer.aborted) this.#aborted();
    else outer.addEventListener('abort', this.#aborted, { once: true });
  }

  get why(): Why | null {
    return this.#why;
  }

  /** Aborts with the reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  end(why: Why): void {
    this.#why ??= why;
    this.#abort.abort(new Error(`the turn must end: ${this.#why.kind}`));
  }

  /** A model call that did not come to an answer. One that broke off is the agent's to make again. */
  refused(thrown: unknown): void {
    const read = readCallFailure(thrown, this.#outer);
    if (read.kind !== 'broken') this.end(read);
  }

  release(): void {
    this.#outer.removeEventListener('abort', this.#aborted);
  }
}
