/** The only door to a language model: concurrency, back-off and money for every call of every session. */
import PQueue from 'p-queue';
import { backoffMs, MAX_TRIES, MAX_WAIT_MS } from '../../core/backoff.ts';
import { PRICES } from '../../core/prices.ts';
import type { PriceTable } from '../../core/pricing.ts';
import type {
  Gateway,
  KeptAnswer,
  KeptAnswers,
  Ledger,
  ModelReply,
  ModelRequest,
  Provider,
  ProviderOf,
} from '../../engine/gatewayPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ProviderName, Role } from '../../shared/domain.ts';
import { type AutonomousError, asFailure, failure } from '../../shared/errors.ts';
import { Admission, type Reservation } from './admission.ts';
import { Circuit } from './circuit.ts';
import { type Again, countTokens, type Exchange, exchange, FREE } from './exchange.ts';
import { runningSession } from './judge.ts';
import { type PassedRequest, passRequest, withAnswerOf } from './request.ts';

export interface GatewayOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly providerOf: ProviderOf;
  readonly prices?: PriceTable;
  /** Absent: none are kept, and a killed process may ask again. */
  readonly answers?: KeptAnswers;
  /** Calls in flight at once; 4. */
  readonly concurrency?: number;
  /** Reports an answer whose bill cannot be true. */
  readonly problem?: (text: string) => void;
  /** In [0, 1), for jitter. */
  readonly random?: () => number;
}

/** Who goes first when calls wait: a person who watches, then what holds up a whole job, then the work itself. */
const PRIORITY: Readonly<Record<Role, number>> = {
  main: 3,
  project: 3,
  planner: 2,
  reviewer: 2,
  summarizer: 2,
  worker: 1,
  task: 1,
  subagent: 0,
};

export function createGateway(options: GatewayOptions): Gateway {
  return new OwnerGateway(options);
}

class OwnerGateway implements Gateway {
  readonly #ledger: Ledger;
  readonly #admission: Admission;
  readonly #clock: Clock;
  readonly #providerOf: ProviderOf;
  readonly #random: () => number;
  readonly #answers: KeptAnswers | null;
  readonly #problem: (text: string) => void;
  readonly #queue: PQueue;
  readonly #circuits = new Map<ProviderName, Circuit>();
  readonly #closing = new AbortController();

  constructor(options: GatewayOptions) {
    this.#ledger = options.ledger;
    this.#admission = new Admission(options.ledger, options.prices ?? PRICES, options.clock);
    this.#clock = options.clock;
    this.#providerOf = options.providerOf;
    this.#random = options.random ?? Math.random;
    this.#answers = options.answers ?? null;
    this.#problem = options.problem ?? (() => undefined);
    this.#queue = new PQueue({ concurrency: options.concurrency ?? 4 });
  }

  async call(request: ModelRequest, caller: AbortSignal): Promise<ModelReply> {
    const passed = passRequest(request);
    const session = runningSession(this.#ledger.state, request.sessionId);
    const provider = this.#providerOf(session);
    const signal = AbortSignal.any([caller, this.#closing.signal]);
    const kept = passed.kind === 'count' ? null : await this.#answers?.take(request);
    if (kept) return replyOf(kept);
    if (signal.aborted) throw aborted();
    const { promise, resolve, reject } = Promise.withResolvers<ModelReply>();
    // One that still waits is told at once; one that has started, when its money is booked.
    const leaveQueue = () => reject(aborted());
    signal.addEventListener('abort', leaveQueue, { once: true });
    const work = async () => {
      signal.removeEventListener('abort', leaveQueue);
      try {
        if (!signal.aborted) await this.#answer(passed, provider, signal, resolve);
      } catch (thrown) {
        reject(signal.aborted && thrown === signal.reason ? aborted() : asFailure(thrown));
      }
    };
    void this.#queue.add(work, { priority: PRIORITY[session.role] });
    return promise;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#queue.onIdle();
    await this.#admission.close();
  }

  /** Tries until there is an answer, and stays until it is booked. Each try has a reservation of its own. */
  async #answer(
    call: PassedRequest,
    provider: Provider,
    signal: AbortSignal,
    deliver: (reply: ModelReply) => void,
  ): Promise<void> {
    const circuit = this.#circuitOf(provider.name);
    for (let tries = 1; ; tries++) {
      const mark = await circuit.pass(signal);
      const { money, sent } = await this.#admit(call, provider, signal);
      const broken: Exchange['broken'] = ({ reason, message }) => {
        circuit.failed(mark, reason, null);
        return streamBroken(reason, message, this.#clock.now() + circuit.waitMs());
      };
      const keep: Exchange['keep'] = async (answer) => {
        // By the request as it was made: after a kill the same session asks with the full length again.
        if (call.kind !== 'count') await this.#answers?.keep(call.request, answer);
      };
      const outcome = await exchange({
        clock: this.#clock,
        provider,
        call: sent,
        money,
        broken,
        keep,
        problem: this.#problem,
        signal,
      });
      if ('reply' in outcome) {
        deliver(outcome.reply);
        if ((await outcome.ended) === null) circuit.succeeded();
        return;
      }
      await this.#backOff(circuit, mark, tries, outcome.again, signal);
    }
  }

  /** Reserves the call's money. `sent` is the call with an answer as long as that pays for. */
  async #admit(
    call: PassedRequest,
    provider: Provider,
    signal: AbortSignal,
  ): Promise<{ readonly money: Reservation; readonly sent: PassedRequest }> {
    if (call.kind === 'count') return { money: FREE, sent: call };
    const clock = this.#clock;
    const count = provider.countsTokens === true ? () => countTokens(call, { clock, provider, signal }) : null;
    const money = await this.#admission.reserve(call, provider.name, count, signal);
    try {
      return { money, sent: withAnswerOf(call, money.maxTokens) };
    } catch (thrown) {
      await money.release('the call was not sent');
      throw thrown;
    }
  }

  /** Returns when it is time to try again. Throws MODEL_UNAVAILABLE when the job had better wait instead. */
  async #backOff(circuit: Circuit, mark: number, tries: number, again: Again, signal: AbortSignal): Promise<void> {
    if (again.shared) circuit.failed(mark, again.reason, again.retryAfterMs);
    const own = again.shared ? 0 : backoffMs(tries, this.#random(), again.retryAfterMs);
    if (tries >= MAX_TRIES || Math.max(own, circuit.waitMs()) > MAX_WAIT_MS) {
      throw circuit.unavailable(again.reason, own);
    }
    if (own > 0) await this.#clock.sleep(own, signal);
  }

  #circuitOf(name: ProviderName): Circuit {
    const known = this.#circuits.get(name);
    if (known !== undefined) return known;
    const circuit = new Circuit(this.#clock, this.#random);
    this.#circuits.set(name, circuit);
    return circuit;
  }
}

function replyOf({ type, text }: KeptAnswer): ModelReply {
  return { status: 200, headers: { 'content-type': type }, body: new Blob([text]).stream() };
}

function aborted(): AutonomousError {
  return failure('ABORTED', 'the call was aborted');
}

function streamBroken(reason: string, message: string, retryAtMs: number): AutonomousError {
  return failure('MODEL_STREAM_BROKEN', message, { details: { reason, retryAtMs: Math.ceil(retryAtMs) } });
}
