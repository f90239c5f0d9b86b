/** Reserves the cost of every call before it leaves, and books its outcome. No other code releases money. */

import { boundFromCount } from '../../../core/model/usage/inputBound.ts';
import { bookingDay } from '../../../core/money/budget.ts';
import { limitReached, type Refusal } from '../../../core/money/limitReached.ts';
import { limitNamed } from '../../../core/money/limitWords.ts';
import { discounted, type PriceTable } from '../../../core/money/price/pricing.ts';
import { isPricedCall } from '../../../core/money/price/terms.ts';
import { UNPRICED_VERSION } from '../../../core/money/price/unpriced.ts';
import { leastAnswer } from '../../../core/money/shorterAnswer.ts';
import type { Ledger, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { findFailure } from '../../../shared/errors.ts';
import type { Usage } from '../../../shared/money.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { orAborted } from '../send/connection.ts';
import type { MessageRequest } from '../send/request.ts';
import { CallWaits } from '../send/waits.ts';
import { dependsOnPrompt, type Fitted, fitAnswer, isPassing, runningSession } from './admissionPolicy.ts';
import { type Begun, costOf, mostOf, type Payment, statedCost } from './callCost.ts';
import { conversationOf } from './prefixCheck.ts';

const OWED_AGAIN_MS = 2_000;

/** What answers a call. `prices` defaults to the table of the gateway. */
type Paid = Pick<Provider, 'name' | 'priceFactor' | 'cachesForHour'> & { readonly prices?: PriceTable };

/** A call whose cost is reserved. Call exactly one of the three methods; each resolves once the booking is durable. */
export interface Reservation {
  /** Limit of the answer's tokens; below the requested number if a limit left no money for more. */
  readonly maxTokens: number;
  /**
   * `answered`: the model that the answer names, if it is not the requested one. The higher of the two prices counts;
   * if that model has no price, the whole reservation stays counted. `reportedUsd`: the cost as the server itself states it, which is booked
   * for a connection of the user.
   */
  settle(usage: Usage, toolCalls?: number, answered?: string | null, reportedUsd?: number | null): Promise<void>;
  /** Call if the request cannot have been billed. */
  release(reason: string): Promise<void>;
  /** The call may have been billed. The highest possible cost stays counted: with `begun`, the reported prompt and the longest answer. */
  unsettle(reason: string, begun?: Begun | null): Promise<void>;
}

export class Admission {
  readonly #ledger: Ledger;
  readonly #prices: PriceTable;
  readonly #clock: Clock;
  readonly #waits: CallWaits;
  readonly #charged: (sessionId: number, microUsd: number) => void;
  #inFlight = 0;
  /** Bookings that the disk refused. */
  readonly #owed: EventDraft[] = [];
  /** Cancels the timer that retries the owed bookings. */
  #cancel: (() => void) | null = null;
  #booked = Promise.withResolvers<void>();
  /**
   * Sessions whose last answer was cut at a shortened length. The next answer is not shortened: a person is asked
   * instead.
   */
  readonly #cutShort = new Set<number>();

  /** `charged` is called with the cost of each call that may be billed, and its session. */
  constructor(
    ledger: Ledger,
    prices: PriceTable,
    clock: Clock,
    waits = new CallWaits(ledger, clock),
    charged: (sessionId: number, microUsd: number) => void = () => undefined,
  ) {
    this.#charged = charged;
    this.#ledger = ledger;
    this.#prices = prices;
    this.#clock = clock;
    this.#waits = waits;
  }

  /**
   * Reserves the highest possible cost of the call; durable when it resolves. If the limits refuse, `count` (if the
   * provider can) gives the prompt's real length and the limits are checked again; if they still refuse, the answer is
   * shortened. If only other calls in flight block the call, it waits for them. Owed bookings are written first. Throws
   * LIMIT_REACHED, MODEL_UNPRICED, NOT_PERMITTED, ABORTED, DISK.
   */
  async reserve(
    call: MessageRequest,
    { name: provider, priceFactor, cachesForHour = false, prices: listed = this.#prices }: Paid,
    count: (() => Promise<number | null>) | null,
    signal: AbortSignal,
  ): Promise<Reservation> {
    const prices = priceFactor === undefined ? listed : discounted(listed, priceFactor);
    let inputBound = call.inputBound;
    let mayCount = count !== null;
    let isLogged = false;
    for (;;) {
      signal.throwIfAborted();
      await this.#bookOwed();
      const booked = this.#booked.promise;
      const cacheWrite = cachesForHour && call.cacheWrite !== 'none' ? '1h' : call.cacheWrite;
      const answer = await this.#tryReserve({ ...call, inputBound, cacheWrite }, { provider, prices }, !mayCount);
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

  /** Checks and writes in one commit, so that every call sees the reservations of all earlier ones. */
  async #tryReserve(call: MessageRequest, payment: Payment, mayShorten: boolean): Promise<Reservation | Refusal> {
    const { provider, prices } = payment;
    const [id] = this.#ledger.nextIds('spends', 1);
    if (id === undefined) throw new Error('the ledger gave no id');
    let refusal: Refusal | null = null;
    let fitted: Fitted | null = null;
    const draft = (state: State): EventDraft => {
      const { sessionId } = call.request;
      const session = runningSession(state, sessionId);
      const day = bookingDay(state.meta.last_day, this.#clock.now());
      const mayBeShort = mayShorten && !this.#cutShort.has(sessionId);
      const least = mayBeShort ? leastAnswer({ ...call, role: session.role }) : call.maxTokens;
      const judged = fitAnswer(state, session, prices, { ...call, provider, day, least });
      if ('limit' in judged) {
        refusal = judged;
        throw limitReached(judged);
      }
      fitted = judged;
      this.#inFlight++;
      return {
        type: 'call_reserved',
        id,
        session_id: sessionId,
        provider,
        model: call.model,
        day,
        micro_usd: judged.microUsd,
        tokens: judged.tokens,
        conversation: conversationOf(call.request),
        price_version: isPricedCall(provider, call.model, prices) ? prices.version : UNPRICED_VERSION,
      };
    };
    try {
      await this.#ledger.commit(draft);
    } catch (thrown) {
      if (refusal !== null) return refusal;
      if (fitted !== null) this.#left();
      throw thrown;
    }
    if (fitted === null) throw new Error('the ledger did not ask for the event');
    return this.#reservation(id, call, payment, fitted);
  }

  /** Retries the owed bookings once. The next owner counts the rest as possibly billed. */
  async close(): Promise<void> {
    const left = this.#owed.splice(0);
    this.#cancel?.();
    for (const draft of left) await this.#ledger.commit(draft).catch(() => undefined);
  }

  async #bookOwed(): Promise<void> {
    for (let draft = this.#owed.shift(); draft !== undefined; draft = this.#owed.shift()) await this.#book(draft);
  }

  /** A booking that the disk refuses is owed, because the money was spent. */
  async #book(draft: EventDraft): Promise<void> {
    try {
      await this.#ledger.commit(draft);
    } catch (thrown) {
      if (findFailure(thrown)?.code === 'DISK') this.#owe(draft);
      throw thrown;
    }
  }

  /** A timer retries the booking, because there may be no later call that would. */
  #owe(draft: EventDraft): void {
    this.#owed.push(draft);
    this.#cancel ??= this.#clock.timer(OWED_AGAIN_MS, () => {
      this.#cancel = null;
      // A booking that the disk refuses again stays owed; one that the ledger refuses is already booked or belongs to
      // another owner.
      this.#bookOwed().catch(() => undefined);
    });
  }

  #left(): void {
    this.#inFlight--;
    this.#booked.resolve();
    this.#booked = Promise.withResolvers();
  }

  #reservation(id: number, call: MessageRequest, payment: Payment, fitted: Fitted): Reservation {
    const { maxTokens } = fitted;
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
      maxTokens,
      settle: (usage, tool_calls = 0, answered = null, reportedUsd = null) => {
        this.#noteCut(call, maxTokens, usage);
        const micro_usd = statedCost(payment, reportedUsd) ?? costOf(call, payment, usage, answered);
        if (micro_usd === null) return book({ type: 'call_unsettled', id, reason: `${answered} has no price here` });
        this.#charged(call.request.sessionId, micro_usd);
        return book({ type: 'call_settled', id, usage, micro_usd, tool_calls });
      },
      release: (reason) => book({ type: 'call_released', id, reason }),
      unsettle: (reason, begun = null) => {
        this.#charged(call.request.sessionId, fitted.microUsd);
        return book({ type: 'call_unsettled', id, reason, ...mostOf(call, payment, fitted, begun) });
      },
    };
  }

  #noteCut({ request, maxTokens: asked }: MessageRequest, maxTokens: number, { output }: Usage): void {
    if (maxTokens < asked && output >= maxTokens) this.#cutShort.add(request.sessionId);
    else this.#cutShort.delete(request.sessionId);
  }
}
