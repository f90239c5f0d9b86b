/** The one place that lets money out: reserves before a call leaves, books what became of it. */
import { bookingDay } from '../../core/budget.ts';
import { boundFromCount } from '../../core/inputBound.ts';
import { limitReached, type Refusal } from '../../core/limitReached.ts';
import { limitNamed } from '../../core/limitWords.ts';
import { cost, hasPrice, type PriceTable, reservation } from '../../core/pricing.ts';
import { isPriced, UNPRICED_VERSION } from '../../core/unpriced.ts';
import type { Ledger } from '../../engine/gatewayPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ProviderName } from '../../shared/domain.ts';
import { findFailure } from '../../shared/errors.ts';
import type { EventDraft } from '../../shared/events.ts';
import type { Usage } from '../../shared/money.ts';
import type { State } from '../../shared/state.ts';
import { dependsOnPrompt, isPassing, judge, runningSession } from './judge.ts';
import { orAborted } from './line.ts';
import type { MessageRequest } from './request.ts';
import { CallWaits } from './waits.ts';

const OWED_AGAIN_MS = 2_000;

/** A call that has its money. Exactly one of the three ends it; each resolves when that is durable. */
export interface Reservation {
  /** `answered`: the model that the answer names, if it is another than was asked. The higher of the two prices counts; if it has no price, the call stays counted at its most. */
  settle(usage: Usage, toolCalls?: number, answered?: string | null): Promise<void>;
  /** It cannot have been billed. */
  release(reason: string): Promise<void>;
  /** It may have been billed: it stays counted at its most. */
  unsettle(reason: string): Promise<void>;
}

export class Admission {
  readonly #ledger: Ledger;
  readonly #prices: PriceTable;
  readonly #clock: Clock;
  readonly #waits: CallWaits;
  #inFlight = 0;
  /** Bookings that the disk refused. */
  readonly #owed: EventDraft[] = [];
  /** Of trying these again. */
  #cancel: (() => void) | null = null;
  #booked = Promise.withResolvers<void>();

  constructor(ledger: Ledger, prices: PriceTable, clock: Clock, waits = new CallWaits(ledger, clock)) {
    this.#ledger = ledger;
    this.#prices = prices;
    this.#clock = clock;
    this.#waits = waits;
  }

  /**
   * Reserves the most that the call can cost; durable when it resolves. When the limits refuse, `count` (if the provider can)
   * gives the prompt's real length and it is tried again; when only other calls in flight are in the way, it waits
   * for them. What could not be booked before is booked first. Throws LIMIT_REACHED, MODEL_UNPRICED, NOT_PERMITTED, ABORTED, DISK.
   */
  async reserve(
    call: MessageRequest,
    provider: ProviderName,
    count: (() => Promise<number | null>) | null,
    signal: AbortSignal,
  ): Promise<Reservation> {
    let inputBound = call.inputBound;
    let mayCount = count !== null;
    let isLogged = false;
    for (;;) {
      signal.throwIfAborted();
      await this.#bookOwed();
      const booked = this.#booked.promise;
      const answer = await this.#tryReserve(call, provider, inputBound);
      if (!('limit' in answer)) return answer;
      if (mayCount && dependsOnPrompt(answer)) {
        mayCount = false;
        const counted = (await count?.()) ?? null;
        if (counted !== null) inputBound = Math.min(inputBound, boundFromCount(counted));
        continue;
      }
      if (!isPassing(answer) || this.#inFlight === 0) throw limitReached(answer);
      if (!isLogged) {
        const reason = `other calls in flight hold the rest of ${limitNamed(answer.limit)}`;
        await this.#waits.begin(call.request.sessionId, 'queue', reason, null);
      }
      isLogged = true;
      await orAborted(booked, signal);
    }
  }

  /** Judged and written as one commit, so that every call sees the money of all before it. */
  async #tryReserve(call: MessageRequest, provider: ProviderName, inputBound: number): Promise<Reservation | Refusal> {
    const priced = isPriced(provider);
    const tokens = inputBound + call.maxTokens;
    const microUsd = priced ? reservation(this.#prices, call.model, inputBound, call.maxTokens, call.cacheWrite) : 0;
    const [id] = this.#ledger.nextIds('spends', 1);
    if (id === undefined) throw new Error('the ledger gave no id');
    let refusal: Refusal | null = null;
    let drafted = false;
    const draft = (state: State): EventDraft => {
      const session = runningSession(state, call.request.sessionId);
      const day = bookingDay(state.meta.last_day, this.#clock.now());
      refusal = judge(state, session, { provider, day, microUsd, tokens });
      if (refusal !== null) throw limitReached(refusal);
      drafted = true;
      this.#inFlight++;
      return {
        type: 'call_reserved',
        id,
        session_id: call.request.sessionId,
        provider,
        model: call.model,
        day,
        micro_usd: microUsd,
        tokens,
        price_version: priced ? this.#prices.version : UNPRICED_VERSION,
      };
    };
    try {
      await this.#ledger.commit(draft);
    } catch (thrown) {
      if (refusal !== null) return refusal;
      if (drafted) this.#left();
      throw thrown;
    }
    return this.#reservation(id, (usage, answered) => {
      if (!priced) return 0;
      if (answered !== null && !hasPrice(this.#prices, answered)) return null;
      const models = answered === null ? [call.model] : [call.model, answered];
      return Math.max(...models.map((model) => cost(this.#prices, model, usage)));
    });
  }

  /** What is owed is tried once more. Of what then still is, the next owner says that it may have been billed. */
  async close(): Promise<void> {
    const left = this.#owed.splice(0);
    this.#cancel?.();
    for (const draft of left) await this.#ledger.commit(draft).catch(() => undefined);
  }

  async #bookOwed(): Promise<void> {
    for (let draft = this.#owed.shift(); draft !== undefined; draft = this.#owed.shift()) await this.#book(draft);
  }

  /** One that the disk refuses is owed: the money was spent all the same. */
  async #book(draft: EventDraft): Promise<void> {
    try {
      await this.#ledger.commit(draft);
    } catch (thrown) {
      if (findFailure(thrown)?.code === 'DISK') this.#owe(draft);
      throw thrown;
    }
  }

  /** There may be no other call that would book it. */
  #owe(draft: EventDraft): void {
    this.#owed.push(draft);
    this.#cancel ??= this.#clock.timer(OWED_AGAIN_MS, () => {
      this.#cancel = null;
      // What the disk refuses is owed again; what the ledger refuses is booked already, or not ours any more.
      this.#bookOwed().catch(() => undefined);
    });
  }

  #left(): void {
    this.#inFlight--;
    this.#booked.resolve();
    this.#booked = Promise.withResolvers();
  }

  #reservation(id: number, costOf: (usage: Usage, answered: string | null) => number | null): Reservation {
    let open = true;
    const book = async (draft: EventDraft) => {
      if (!open) throw new Error(`spend ${id} is booked already`);
      open = false;
      try {
        await this.#book(draft);
      } finally {
        this.#left();
      }
    };
    return {
      settle: (usage, tool_calls = 0, answered = null) => {
        const micro_usd = costOf(usage, answered);
        if (micro_usd === null) return book({ type: 'call_unsettled', id, reason: `${answered} has no price here` });
        return book({ type: 'call_settled', id, usage, micro_usd, tool_calls });
      },
      release: (reason) => book({ type: 'call_released', id, reason }),
      unsettle: (reason) => book({ type: 'call_unsettled', id, reason }),
    };
  }
}
