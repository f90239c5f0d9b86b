/**
 * The money of a job in lanes, in simulated time: the real decisions of what starts, whose call is next and which call the limits
 * admit, on rows alone. A call costs what it takes: a longer answer takes longer.
 */
import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import { Admission, type Reservation } from '../../../src/adapters/gateway/door/admission.ts';
import {
  type FairOptions,
  type FairQueue,
  FairShares,
  fairQueueOn,
} from '../../../src/adapters/gateway/door/fairQueue.ts';
import type { MessageRequest } from '../../../src/adapters/gateway/send/request.ts';
import type { Busy } from '../../../src/core/job/action.ts';
import { needsNoMerge } from '../../../src/core/job/mergeQueue.ts';
import { nextActions } from '../../../src/core/job/nextAction.ts';
import { PRICES } from '../../../src/core/money/price/prices.ts';
import { countedMicroUsd, laneOf, need, openAttempts } from '../../../src/core/state/rows.ts';
import type { Ledger } from '../../../src/engine/session/gatewayPorts.ts';
import { failure, findFailure } from '../../../src/shared/errors.ts';
import type { AttemptRow } from '../../../src/shared/job/rows.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import { JOB_ID, PROJECT_ID, planOf } from '../state/builders.ts';
import { acceptedJob, attemptEnded, type Fold, sessionEnd } from '../state/fold.ts';
import type { Dice } from '../state/laneGame.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { callOf, NOTHING_USED } from './calls.ts';

const NEVER_ABORTS = new AbortController().signal;
/** Micro-USD of a token of the answer of `callOf`. */
const OF_A_TOKEN = 10;
/** Tokens that are asked for, and that an answer may have. */
const ASKED = 60;
const LONGEST = 50;
const SHORTEST = 22;
/** What a call costs at most, in micro-USD: one that broke off, and the answer. */
export const DEAREST = (ASKED + LONGEST) * OF_A_TOKEN;

export interface LaneMoneyRules {
  /** For each feature the numbers of earlier ones, counted from 0. */
  readonly depends: readonly (readonly number[])[];
  readonly lanes: number;
  /** Limit of calls in flight. */
  readonly concurrency: number;
  /** Micro-USD; null for no limit. */
  readonly budget: number | null;
  /** Calls of each feature. */
  readonly calls: number;
}

/** While the same features competed: what each of them spent, in micro-USD. */
export type Stretch = readonly number[];

export interface LaneMoney {
  readonly state: State;
  /** What broke a promise. Empty if nothing did. */
  readonly broken: readonly string[];
  /** Whether the limit ended it. */
  readonly isOut: boolean;
  /** How often a call waited for the money of others in flight. */
  readonly waits: number;
  /** How often the disk refused a booking or a reservation. */
  readonly refusals: number;
  readonly stretches: readonly Stretch[];
}

export function playMoney(rules: LaneMoneyRules, dice: Dice): Promise<LaneMoney> {
  return new MoneyGame(rules, dice).play();
}

interface Flight {
  readonly end: number;
  readonly land: () => void;
}

class MoneyGame {
  readonly #rules: LaneMoneyRules;
  readonly #dice: Dice;
  readonly #fold: Fold;
  readonly #shares = new FairShares();
  readonly #queue: PQueue<FairQueue, FairOptions>;
  readonly #admission: Admission;
  readonly #flights: Flight[] = [];
  /** What each feature that works has spent since the last of them started or ended. */
  readonly #spent = new Map<number, number>();
  readonly #stretches: Stretch[] = [];
  readonly #broken: string[] = [];
  readonly #call: MessageRequest;
  /** Micro-USD of each answer that was given, by its session and its number. */
  readonly #answers = new Map<string, number>();
  /** Usual tokens of an answer of each feature. */
  readonly #sizes: readonly number[];
  #now = 0;
  #spendIds = 0;
  #attemptIds = 0;
  #waits = 0;
  #refusals = 0;
  #isOut = false;

  constructor(rules: LaneMoneyRules, dice: Dice) {
    this.#rules = rules;
    this.#dice = dice;
    const lines = rules.depends.map((on, index) =>
      [`f${index}`, on.map((one) => `f${one}`).join(', ')].filter((part) => part !== '').join(' < '),
    );
    const { lanes, budget } = rules;
    this.#fold = acceptedJob(planOf({ Phase: lines }), {
      lanes,
      gates: [],
      provider: 'anthropic',
      budgetMicroUsd: budget,
    });
    this.#fold.commit(
      { type: 'baseline_checked', job_id: JOB_ID, evidence: [], skipped: null },
      { type: 'phase_started', job_id: JOB_ID, phase_id: 1, base_commit: 'base' },
    );
    this.#queue = new PQueue({ concurrency: rules.concurrency, queueClass: fairQueueOn(this.#shares) });
    const charged = (sessionId: number, microUsd: number): void => this.#charge(sessionId, microUsd);
    this.#admission = new Admission(this.#ledger(), PRICES, new FakeClock(), undefined, charged);
    this.#call = callOf(1, ASKED);
    this.#sizes = rules.depends.map(() => SHORTEST + dice(LONGEST - SHORTEST - 5));
  }

  async play(): Promise<LaneMoney> {
    this.#start();
    await setImmediate();
    while (this.#flights.length > 0) {
      this.#now = Math.min(...this.#flights.map(({ end }) => end));
      for (const flight of this.#flights.filter(({ end }) => end === this.#now)) {
        this.#flights.splice(this.#flights.indexOf(flight), 1);
        flight.land();
      }
      await setImmediate();
    }
    if (this.#queue.size + this.#queue.pending > 0) this.#broken.push('a call waits for ever');
    await this.#admission.close();
    this.#checkBill();
    const { state } = this.#fold;
    const [isOut, waits, refusals] = [this.#isOut, this.#waits, this.#refusals];
    return { state, broken: this.#broken, isOut, waits, refusals, stretches: this.#stretches };
  }

  /** Each answer is paid once, and nothing else is settled or stays reserved. */
  #checkBill(): void {
    const rows = [...this.#fold.state.spends.values()];
    const settled = rows.filter(({ status }) => status === 'settled').map((row) => row.settled_micro_usd);
    const answers = [...this.#answers.values()];
    if (settled.length !== answers.length) this.#broken.push(`${settled.length} payments of ${answers.length} answers`);
    if (sum(settled) !== sum(answers))
      this.#broken.push(`${sum(settled)} micro-USD paid for answers of ${sum(answers)}`);
    if (rows.some(({ status }) => status === 'reserved')) this.#broken.push('a call stays reserved');
  }

  #ledger(): Ledger {
    const { state } = this.#fold;
    return {
      state,
      nextIds: () => [++this.#spendIds],
      commit: async (draft) => {
        const event = typeof draft === 'function' ? draft(state) : draft;
        if (event.type === 'wait_begun') this.#waits++;
        // Once all is over, the disk has room.
        if (this.#flights.length > 0 && this.#dice(50) === 0) {
          this.#refusals++;
          throw failure('DISK', 'planted');
        }
        this.#fold.commit(event);
        const counted = sum([...state.spends.values()].map(countedMicroUsd));
        if (counted > (this.#rules.budget ?? Number.POSITIVE_INFINITY))
          this.#broken.push(`${counted} is over the budget`);
      },
    };
  }

  #charge(sessionId: number, microUsd: number): void {
    const { feature_id } = need(this.#fold.state, 'sessions', sessionId);
    this.#shares.charge(`feature ${feature_id}`, microUsd);
    const before = this.#spent.get(feature_id ?? 0);
    if (before !== undefined) this.#spent.set(feature_id ?? 0, before + microUsd);
  }

  /** Those that compete change: what the old ones spent is one stretch. */
  #compete(change: () => void): void {
    this.#stretches.push([...this.#spent.values()]);
    change();
    for (const feature of this.#spent.keys()) this.#spent.set(feature, 0);
  }

  /** A merge may make more work, so it is followed by another round. */
  #start(): void {
    const { state } = this.#fold;
    for (let isMerged = true; isMerged; ) {
      isMerged = false;
      const working = openAttempts(state, JOB_ID).filter(({ status }) => status !== 'queued');
      const busy: Busy = { lanes: new Set(working.map(laneOf)), features: new Set(), job: false, merge: false };
      for (const { lane, action } of nextActions(state, JOB_ID, 0, busy)) {
        if (action.do === 'attempt' && !this.#isOut) this.#begin(lane, action.feature.id);
        if (action.do !== 'integrate') continue;
        this.#merged(action.attempt);
        isMerged = true;
      }
    }
  }

  #begin(lane: number, featureId: number): void {
    const id = ++this.#attemptIds;
    const of = { job_id: JOB_ID, phase_id: 1, notes: [] } as const;
    const base_commit = need(this.#fold.state, 'jobs', JOB_ID).head ?? 'base';
    const model = 'claude-sonnet-5-5';
    this.#fold.commit(
      { type: 'session_started', id, project_id: PROJECT_ID, role: 'worker', model, ...of },
      {
        type: 'attempt_started',
        id,
        feature_id: featureId,
        session_id: id,
        base_commit,
        start: base_commit,
        lane,
        ...of,
      },
    );
    this.#compete(() => this.#spent.set(featureId, 0));
    this.#work(id, featureId).catch((thrown: unknown) => {
      if (findFailure(thrown)?.code === 'LIMIT_REACHED') this.#isOut = true;
      else this.#broken.push(String(thrown));
      this.#compete(() => this.#spent.delete(featureId));
    });
  }

  async #work(id: number, featureId: number): Promise<void> {
    for (let nth = 0; nth < this.#rules.calls; nth++) {
      if (this.#isOut) return;
      const paid = (): Promise<void> => this.#paid(id, nth, featureId);
      await this.#queue.add(paid, { priority: 1, account: `feature ${featureId}` });
      if (nth === 0) this.#start();
    }
    this.#compete(() => this.#spent.delete(featureId));
    const attempt = need(this.#fold.state, 'attempts', id);
    if (needsNoMerge(this.#fold.state, attempt)) this.#merged(attempt);
    else {
      const nothing = { evidence: [], diff: null, changed: null, kept: null, left: null, summary: null } as const;
      this.#fold.commit({ type: 'attempt_queued', id, job_id: JOB_ID, cause: 'done', commit: `w${id}`, ...nothing });
    }
    this.#start();
  }

  /** One call until it has an answer: a request that is refused costs nothing, one that breaks off may cost its most. */
  async #paid(sessionId: number, nth: number, featureId: number): Promise<void> {
    const tokens = (this.#sizes[featureId - 1] ?? SHORTEST) + this.#dice(6);
    for (let tries = 1; ; tries++) {
      const money = await this.#reserved(sessionId);
      await new Promise<void>((land) => this.#flights.push({ end: this.#now + tokens, land }));
      const luck = tries === 1 ? this.#dice(20) : 2;
      if (luck === 0) await owed(money.release('it was refused'));
      else if (luck === 1) await owed(money.unsettle('it broke off', { prompt: NOTHING_USED, answered: null }));
      else {
        this.#answers.set(`${sessionId}: ${nth}`, tokens * OF_A_TOKEN);
        return owed(money.settle({ ...NOTHING_USED, output: tokens }));
      }
    }
  }

  async #reserved(sessionId: number): Promise<Reservation> {
    const call = { ...this.#call, request: { ...this.#call.request, sessionId } };
    for (;;) {
      try {
        return await this.#admission.reserve(call, { name: 'anthropic' }, null, NEVER_ABORTS);
      } catch (thrown) {
        if (findFailure(thrown)?.code !== 'DISK') throw thrown;
      }
    }
  }

  #merged(attempt: AttemptRow): void {
    const session = sessionEnd(attempt.session_id);
    this.#fold.commit(attemptEnded({ id: attempt.id, status: 'succeeded', commit: `c${attempt.id}`, session }));
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/** A booking that the disk refuses is not lost: the admission owes it. */
async function owed(booking: Promise<void>): Promise<void> {
  try {
    await booking;
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'DISK') throw thrown;
  }
}
