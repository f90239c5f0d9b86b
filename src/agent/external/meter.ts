/** What an attempt of another agent may still use, looked at before each of its calls and while its turn runs. */
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { limitReached } from '../decide.ts';
import type { Ending, Why } from './ending.ts';
import type { Journal } from './journal.ts';
import type { ExternalPorts, Reported } from './ports.ts';

const LOOK_MS = 1_000;

export class Meter {
  readonly #ports: Pick<ExternalPorts, 'clock' | 'fetch' | 'limits' | 'used' | 'account'>;
  readonly #clock: Clock;
  readonly #journal: Journal;
  #startedAt: number;
  /** Calls of the assignment: those that left here may not be in the ledger yet. */
  #calls = 0;
  /** Tokens of the turn under way as its agent reports them. */
  #reported = 0;
  #ending: Ending | null = null;

  constructor(ports: ExternalPorts, journal: Journal) {
    this.#ports = ports;
    this.#clock = ports.clock;
    this.#journal = journal;
    this.#startedAt = ports.clock.monotonic();
  }

  /** Limits count anew. */
  begin(): void {
    this.#startedAt = this.#clock.monotonic();
    this.#calls = this.#ports.used().turns;
  }

  /** Until what it gives is called, the drive is ended by the first limit that it comes to. */
  watch(ending: Ending): () => void {
    this.#ending = ending;
    let cancel = (): void => undefined;
    const look = (): void => {
      cancel = this.#clock.timer(LOOK_MS, look);
      this.#look();
    };
    look();
    return () => {
      cancel();
      this.#ending = null;
    };
  }

  end(why: Why): void {
    this.#ending?.end(why);
  }

  /** Totals of the turn under way. */
  heard(used: Reported | null): void {
    const { usage } = used ?? { usage: null };
    const tokens =
      usage === null ? 0 : usage.input + usage.output + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
    this.#reported = tokens;
    this.#look();
  }

  msLeft(): number {
    return this.#ports.limits.seconds * 1_000 - this.#elapsedMs();
  }

  tokensLeft(): number {
    return Math.max(0, this.#ports.limits.tokens - this.#ports.used().tokens);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    // One that does not hear that its turn is over asks on.
    if (this.#ending !== null && this.#ending.why !== null) throw failure('ABORTED', 'the turn is over');
    const counts = !urlOf(input).includes('/count_tokens');
    if (counts) {
      const over = this.#over();
      if (over !== null) {
        this.end({ kind: 'ended', ...over });
        throw failure('LIMIT_REACHED', `the attempt is over: ${over.detail}`, { details: { limit: 'attempt' } });
      }
      this.#calls = Math.max(this.#calls, this.#ports.used().turns) + 1;
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
    const used = this.#ports.used();
    const { account } = this.#ports;
    // Calls through us are judged before they leave. Of an account of its own nobody sees them: each message counts as one.
    const seen =
      account === null
        ? { turns: 0, tokens: 0 }
        : { turns: this.#journal.told.conversation.attempt.turns, tokens: used.tokens + this.#reported };
    const over = limitReached(this.#ports.limits, seen, this.#elapsedMs() / 1_000);
    if (over !== null) this.end({ kind: 'ended', ...over });
  }

  /** Before a call leaves. */
  #over(): ReturnType<typeof limitReached> {
    const { turns, tokens } = this.#ports.used();
    const seen = { turns: Math.max(this.#calls, turns), tokens };
    return limitReached(this.#ports.limits, seen, this.#elapsedMs() / 1_000);
  }

  #elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }
}

function urlOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}
