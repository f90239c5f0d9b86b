/**
 * Passes every call of every session to a language model: concurrency, back-off and money. There is no other access to
 * a model.
 */
import PQueue from 'p-queue';
import { backoffMs, MAX_TRIES, MAX_WAIT_MS } from '../../../core/model/backoff.ts';
import { serversName } from '../../../core/model/modelName.ts';
import { PRICES } from '../../../core/money/price/prices.ts';
import type { PriceTable } from '../../../core/money/price/pricing.ts';
import { pricesWith } from '../../../core/money/price/terms.ts';
import type {
  Gateway,
  KeptAnswer,
  KeptAnswers,
  KeptChecks,
  Ledger,
  ModelReply,
  ModelRequest,
  Provider,
  ProviderOf,
  TermsNow,
} from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, asFailure, failure } from '../../../shared/errors.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { Role, SessionRow } from '../../../shared/session.ts';
import { Circuit } from '../send/circuit.ts';
import { type Again, countTokens, type Exchange, exchange, FREE } from '../send/exchange.ts';
import {
  type MessageRequest,
  modelIn,
  type PassedRequest,
  passRequest,
  withAnswerOf,
  withModelOf,
} from '../send/request.ts';
import { CallWaits } from '../send/waits.ts';
import { Admission, type Reservation } from './admission.ts';
import { runningSession } from './admissionPolicy.ts';
import { type FairOptions, type FairQueue, FairShares, fairQueueOn } from './fairQueue.ts';
import { checkedNames, ModelProof, needsFit, type Send } from './modelProof.ts';
import { PrefixCheck } from './prefixCheck.ts';

export interface GatewayOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly providerOf: ProviderOf;
  readonly prices?: PriceTable;
  /** Models that passed their check. Without them, no model is checked. */
  readonly checks?: KeptChecks;
  /** Defaults to none: a session without a job uses no connection of the user. */
  readonly termsNow?: TermsNow;
  /** Recorded answers. Without them, a process that was killed may repeat its calls. */
  readonly answers?: KeptAnswers;
  /** Limit of calls in flight. Default: 4. */
  readonly concurrency?: number;
  /** Reports an answer whose bill cannot be true, and a conversation that changed what it had sent. */
  readonly problem?: (text: string) => void;
  /** In [0, 1), for jitter. */
  readonly random?: () => number;
}

const CONCURRENCY = 4;
/** Calls that are queued for less time are not shown as waiting. */
const QUEUED_MS = 5_000;

/**
 * Order of queued calls: first those that a person watches, then those that block a whole job, then the work itself.
 */
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

/** The features of a job share the calls in flight. */
const accountOf = ({ id, feature_id }: SessionRow): string =>
  feature_id === null ? `session ${id}` : `feature ${feature_id}`;

export function createGateway(options: GatewayOptions): Gateway {
  return new OwnerGateway(options);
}

class OwnerGateway implements Gateway {
  readonly #ledger: Ledger;
  readonly #admission: Admission;
  readonly #clock: Clock;
  readonly #providerOf: ProviderOf;
  readonly #prices: PriceTable;
  readonly #termsNow: TermsNow;
  readonly #proof: ModelProof | null;
  readonly #random: () => number;
  readonly #answers: KeptAnswers | null;
  readonly #problem: (text: string) => void;
  readonly #shares = new FairShares();
  readonly #queue: PQueue<FairQueue, FairOptions>;
  readonly #circuits = new Map<ConnectionName, Circuit>();
  readonly #waits: CallWaits;
  readonly #prefixes = new PrefixCheck();
  readonly #closing = new AbortController();

  constructor(options: GatewayOptions) {
    this.#ledger = options.ledger;
    this.#waits = new CallWaits(options.ledger, options.clock);
    const charged = (sessionId: number, microUsd: number): void => {
      const session = options.ledger.state.sessions.get(sessionId);
      if (session !== undefined) this.#shares.charge(accountOf(session), microUsd);
    };
    this.#prices = options.prices ?? PRICES;
    this.#termsNow = options.termsNow ?? (async () => undefined);
    this.#proof = options.checks === undefined ? null : new ModelProof(options.checks);
    this.#admission = new Admission(options.ledger, this.#prices, options.clock, this.#waits, charged);
    this.#clock = options.clock;
    this.#providerOf = options.providerOf;
    this.#random = options.random ?? Math.random;
    this.#answers = options.answers ?? null;
    this.#problem = options.problem ?? (() => undefined);
    const concurrency = options.concurrency ?? CONCURRENCY;
    this.#queue = new PQueue({ concurrency, queueClass: fairQueueOn(this.#shares) });
  }

  async call(request: ModelRequest, caller: AbortSignal): Promise<ModelReply> {
    const passed = passRequest(request);
    const session = runningSession(this.#ledger.state, request.sessionId);
    const provider = this.#providerOf(session, passed.kind === 'count' ? modelIn(passed) : passed.model);
    const signal = AbortSignal.any([caller, this.#closing.signal]);
    const changed = passed.kind === 'count' ? null : this.#prefixes.take(request);
    if (changed !== null) this.#problem(changed);
    const kept = passed.kind === 'count' ? null : await this.#answers?.take(request);
    if (kept) {
      await this.#waits.end(request.sessionId);
      return replyOf(kept);
    }
    if (signal.aborted) throw aborted();
    const { promise, resolve, reject } = Promise.withResolvers<ModelReply>();
    // A queued call is rejected at once; a call that has started, after its money is booked.
    const leaveQueue = () => reject(aborted());
    signal.addEventListener('abort', leaveQueue, { once: true });
    const turn = this.#awaitTurn(request.sessionId, signal);
    const work = async () => {
      turn();
      signal.removeEventListener('abort', leaveQueue);
      try {
        if (!signal.aborted) {
          if (passed.kind === 'message') await this.#prove(passed, session, signal);
          await this.#answer(passed, session, provider, signal, resolve);
        }
      } catch (thrown) {
        reject(signal.aborted && thrown === signal.reason ? aborted() : asFailure(thrown));
      }
    };
    void this.#queue.add(work, { priority: PRIORITY[session.role], account: accountOf(session) });
    return promise;
  }

  tryNow(connection: ConnectionName): void {
    this.#circuits.get(connection)?.close();
    this.#waits.tryNow(connection);
  }

  /** Logs that the call is queued if that takes long. Call the result when the call has its turn. */
  #awaitTurn(sessionId: number, signal: AbortSignal): () => void {
    const { concurrency, pending } = this.#queue;
    if (pending < concurrency) return () => undefined;
    return this.#clock.timer(QUEUED_MS, () => {
      if (signal.aborted) return;
      void this.#waits.begin(sessionId, 'queue', `the most model calls at once are in flight: ${pending}`, null);
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#queue.onIdle();
    await this.#admission.close();
  }

  /** Checks the model, and before the first call of a job all its models: the worker's must not fail after hours. */
  async #prove(call: MessageRequest, session: SessionRow, signal: AbortSignal): Promise<void> {
    const proof = this.#proof;
    if (proof === null) return;
    const names = checkedNames(call, session, this.#ledger.state);
    for (const name of names) {
      const provider = this.#providerOf(session, name);
      const send: Send = (request) => this.#checkCall(request, session, provider, signal);
      const check = await proof.need({ name, provider }, session.id, send, signal);
      if (name === call.model && provider.checks?.isLocal === true) needsFit(call, check?.context ?? null);
    }
  }

  async #checkCall(
    request: ModelRequest,
    session: SessionRow,
    provider: Provider,
    signal: AbortSignal,
  ): Promise<string> {
    let text = Promise.resolve('');
    const deliver = (reply: ModelReply): void => {
      text = new Response(reply.body).text();
      // The call itself reports how its answer ended.
      text.catch(() => undefined);
    };
    await this.#answer(passRequest(request), session, provider, signal, deliver);
    return text;
  }

  /** Retries until there is an answer, and resolves after it is booked. Each attempt has its own reservation. */
  async #answer(
    call: PassedRequest,
    session: SessionRow,
    provider: Provider,
    signal: AbortSignal,
    deliver: (reply: ModelReply) => void,
  ): Promise<void> {
    const circuit = this.#circuitOf(provider.name);
    for (let tries = 1; ; tries++) {
      const { sessionId } = call.request;
      const mark = await circuit.pass(async (ms) => {
        await this.#waits.begin(sessionId, 'provider', circuit.reason, ms);
        await this.#waits.sleep(circuit.waitMs(), provider.name, signal);
      });
      const { money, sent } = await this.#admit(call, session, provider, signal);
      const broken: Exchange['broken'] = ({ reason, message }) => {
        circuit.failed(mark, reason, null);
        return streamBroken(reason, message, this.#clock.now() + circuit.waitMs());
      };
      const keep: Exchange['keep'] = async (answer) => {
        // Keyed by the original request: after a kill, the same session repeats it with the full length.
        if (call.kind !== 'count') await this.#answers?.keep(call.request, answer);
      };
      const outcome = await exchange({
        clock: this.#clock,
        provider,
        call: toServer(sent, provider),
        money,
        broken,
        keep,
        problem: this.#problem,
        signal,
      });
      if ('reply' in outcome) {
        if (call.kind === 'message') await this.#waits.end(sessionId);
        deliver(outcome.reply);
        if ((await outcome.ended) === null) circuit.succeeded();
        return;
      }
      const own = this.#backOff(circuit, mark, tries, outcome.again);
      if (own === 0) continue;
      await this.#waits.begin(sessionId, 'provider', outcome.again.reason, own);
      await this.#waits.sleep(own, provider.name, signal);
    }
  }

  /** Reserves the cost of the call. `sent` is the call with the longest answer that the reservation pays for. */
  async #admit(
    call: PassedRequest,
    session: SessionRow,
    provider: Provider,
    signal: AbortSignal,
  ): Promise<{ readonly money: Reservation; readonly sent: PassedRequest }> {
    if (call.kind === 'count') return { money: FREE, sent: call };
    const clock = this.#clock;
    const counted = toServer(call, provider);
    const count =
      provider.countsTokens === true && counted.kind === 'message'
        ? () => countTokens(counted, { clock, provider, signal })
        : null;
    const prices = await this.#pricesFor(session, call.model);
    const money = await this.#admission.reserve(call, { ...provider, prices }, count, signal);
    try {
      return { money, sent: withAnswerOf(call, money.maxTokens) };
    } catch (thrown) {
      await money.release('the call was not sent');
      throw thrown;
    }
  }

  /** Milliseconds until this call may be retried. Throws MODEL_UNAVAILABLE if the job should wait instead. */
  #backOff(circuit: Circuit, mark: number, tries: number, again: Again): number {
    if (again.shared) circuit.failed(mark, again.reason, again.retryAfterMs);
    const own = again.shared ? 0 : backoffMs(tries, this.#random(), again.retryAfterMs);
    if (tries >= MAX_TRIES || Math.max(own, circuit.waitMs()) > MAX_WAIT_MS) {
      throw circuit.unavailable(again.reason, own);
    }
    return own;
  }

  /** Prices of a job are those at its filing, of another session the ones that apply now. */
  async #pricesFor(session: SessionRow, model: string): Promise<PriceTable> {
    const job = session.job_id === null ? undefined : this.#ledger.state.jobs.get(session.job_id);
    const terms = job === undefined ? await this.#termsNow(model) : job.options.terms;
    return pricesWith(terms, this.#prices);
  }

  #circuitOf(name: ConnectionName): Circuit {
    const known = this.#circuits.get(name);
    if (known !== undefined) return known;
    const circuit = new Circuit(this.#clock, this.#random);
    this.#circuits.set(name, circuit);
    return circuit;
  }
}

/** The call with its model as the provider's server knows it. */
const toServer = (call: PassedRequest, { name }: Provider): PassedRequest =>
  call.kind === 'message' ? withModelOf(call, serversName(name, call.model)) : call;

function replyOf({ type, text }: KeptAnswer): ModelReply {
  return { status: 200, headers: { 'content-type': type }, body: new Blob([text]).stream() };
}

function aborted(): AutonomousError {
  return failure('ABORTED', 'the call was aborted');
}

function streamBroken(reason: string, message: string, retryAtMs: number): AutonomousError {
  return failure('MODEL_STREAM_BROKEN', message, { details: { reason, retryAtMs: Math.ceil(retryAtMs) } });
}
