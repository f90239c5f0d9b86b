/** Enforces the limits of an external agent's attempt, before each of its calls and while its turn runs. */

import { inputTokens, NO_USAGE } from '../../core/model/usage/usage.ts';
import { Stopwatch } from '../../core/session/stopwatch.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { limitReached } from '../session/decide.ts';
import type { Ending, Why } from './ending.ts';
import type { Journal } from './observed/journal.ts';
import type { ExternalPorts, Reported } from './sessionPorts.ts';

const LOOK_MS = 1_000;

export class UsageLimiter {
  readonly #ports: Pick<ExternalPorts, 'clock' | 'fetch' | 'limits' | 'used' | 'account'>;
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #elapsed: Stopwatch;
  /** Calls of the assignment, including those that are not in the ledger yet. */
  #calls = 0;
  /** Tokens of the running turn, as reported by its agent. */
  #reported = 0;
  #ending: Ending | null = null;

  constructor(ports: ExternalPorts, journal: Journal) {
    this.#ports = ports;
    this.#clock = ports.clock;
    this.#journal = journal;
    this.#elapsed = new Stopwatch(ports.clock);
  }

  /** Restarts the limits. */
  begin(): void {
    this.#elapsed.reset();
    this.#calls = this.#ports.used().turns;
  }

  /** The first limit that is reached ends the drive, until the returned function is called. */
  watch(ending: Ending): () => void {
    this.#ending = ending;
    this.#elapsed.start();
    let cancel = (): void => undefined;
    const look = (): void => {
      cancel = this.#clock.timer(LOOK_MS, look);
      this.#look();
    };
    look();
    return () => {
      cancel();
      this.#elapsed.stop();
      this.#ending = null;
    };
  }

  end(why: Why): void {
    this.#ending?.end(why);
  }

  /** Takes the totals of the running turn. */
  heard(used: Reported | null): void {
    const usage = used?.usage ?? NO_USAGE;
    this.#reported = inputTokens(usage) + usage.output;
    this.#look();
  }

  msLeft(): number {
    return this.#ports.limits.seconds * 1_000 - this.#elapsed.ms;
  }

  tokensLeft(): number {
    return Math.max(0, this.#ports.limits.tokens - this.#ports.used().tokens);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    // An agent that ignores the end of its turn keeps sending requests.
    if (this.#ending !== null && this.#ending.why !== null) throw failure('ABORTED', 'the turn has ended');
    const counts = !urlOf(input).includes('/count_tokens');
    if (counts) {
      const { turns, tokens } = this.#ports.used();
      this.#calls = Math.max(this.#calls, turns);
      const seen = { turns: this.#calls, tokens };
      const over = limitReached(this.#ports.limits, seen, this.#elapsed.ms / 1_000);
      if (over !== null) {
        this.end({ kind: 'ended', ...over });
        throw failure('LIMIT_REACHED', `the attempt has ended: ${over.detail}`, { details: { limit: 'attempt' } });
      }
      this.#calls++;
    }
    try {
      return await this.#ports.fetch(input, init);
    } catch (thrown) {
      if (counts) this.#calls--;
      throw thrown;
    }
  };

  #look(): void {
    if (this.#ending === null) return;
    // Calls through the gateway are checked before they are sent.
    const seen = this.#ports.account === null ? { turns: 0, tokens: 0 } : this.#told();
    const over = limitReached(this.#ports.limits, seen, this.#elapsed.ms / 1_000);
    if (over !== null) this.end({ kind: 'ended', ...over });
  }

  /** The calls of a separate account are not visible, so each message counts as a call. */
  #told(): { turns: number; tokens: number } {
    const { turns } = this.#journal.told.conversation.attempt;
    return { turns, tokens: this.#ports.used().tokens + this.#reported };
  }
}

function urlOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}
