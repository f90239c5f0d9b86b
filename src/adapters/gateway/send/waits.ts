/**
 * Waits until a call may be retried and logs the start and the end of the wait. A person can end the wait for one
 * provider.
 */
import { waitHolder } from '../../../core/money/callWait.ts';
import type { Ledger } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { CallWait, Wait } from '../../../shared/waiting.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';

export class CallWaits {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #hurries = new Map<ConnectionName, AbortController>();

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** `ms`: time until the next attempt; null if it is not known. */
  async begin(sessionId: number, code: CallWait, reason: string, ms: number | null): Promise<void> {
    const until = ms === null ? null : new Date(this.#clock.now() + ms).toISOString();
    await this.#log({ type: 'wait_begun', session_id: sessionId, code, reason, until });
  }

  async end(sessionId: number): Promise<void> {
    if (this.#held(sessionId) !== null) await this.#log({ type: 'wait_ended', session_id: sessionId });
  }

  /** Resolves after `ms`, or at once when a person retries this provider. Rejects with the signal's reason. */
  async sleep(ms: number, provider: ConnectionName, signal: AbortSignal): Promise<void> {
    const hurry = this.#hurries.get(provider) ?? new AbortController();
    this.#hurries.set(provider, hurry);
    try {
      await this.#clock.sleep(ms, AbortSignal.any([signal, hurry.signal]));
    } catch (thrown) {
      if (signal.aborted || !hurry.signal.aborted) throw thrown;
    }
  }

  tryNow(provider: ConnectionName): void {
    this.#hurries.get(provider)?.abort(new Error('it is tried now'));
    this.#hurries.delete(provider);
  }

  #held(sessionId: number): Wait | null {
    const { state } = this.#ledger;
    const session = state.sessions.get(sessionId);
    return session === undefined ? null : (waitHolder(state, session)?.put.wait ?? null);
  }

  async #log(draft: EventDraft): Promise<void> {
    try {
      await this.#ledger.commit(draft);
    } catch {
      // Best effort: this only shows the wait. A disk that refuses it also refuses the booking of the call, which is reported.
    }
  }
}
