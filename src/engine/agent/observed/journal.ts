/** Writes the transcript of an external agent's session one entry at a time, in the order of arrival. */

import type { Transcript, TranscriptEntry } from '../../session/ports.ts';
import { redactedEntry } from '../../session/transcript/journalRedaction.ts';
import { addToExternalState, type ExternalState, foldExternalState } from './externalState.ts';

export class Journal {
  readonly #transcript: Transcript;
  #told: ExternalState;
  #last: Promise<unknown> = Promise.resolve();
  #failed: { readonly thrown: unknown } | null = null;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
    this.#told = foldExternalState(transcript.entries);
  }

  get told(): ExternalState {
    return this.#told;
  }

  /** Runs after all earlier writes. After a failure nothing runs any more, because a transcript with a gap cannot be resumed. */
  inTurn<T>(work: (append: (entry: TranscriptEntry) => Promise<void>) => Promise<T>): Promise<T> {
    const next = this.#last.then(async () => {
      if (this.#failed !== null) throw this.#failed.thrown;
      try {
        return await work((entry) => this.#append(entry));
      } catch (thrown) {
        this.#failed = { thrown };
        throw thrown;
      }
    });
    this.#last = next.catch(() => undefined);
    return next;
  }

  append(entry: TranscriptEntry): Promise<void> {
    return this.inTurn((append) => append(entry));
  }

  /** Resolves when all entries are stored. Throws the first failure. */
  async idle(): Promise<void> {
    await this.#last;
    if (this.#failed !== null) throw this.#failed.thrown;
  }

  async #append(given: TranscriptEntry): Promise<void> {
    const entry = redactedEntry(given, { theirs: true });
    await this.#transcript.append(entry);
    this.#told = addToExternalState(this.#told, entry);
  }
}
