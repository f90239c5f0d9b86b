/** Budget days at random: many at once who spend as fast as they may, owners that die under them, clocks that go back. */
import { setImmediate } from 'node:timers/promises';
import type { Reservation } from '../../../src/adapters/gateway/door/admission.ts';
import type { Usage } from '../../../src/shared/money.ts';
import { isPriced, microUsdOf } from '../provider/prices.ts';
import { randomOf } from '../suite/proof.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { BudgetOracle } from './budgetOracle.ts';
import { type Ceilings, PAYERS, type Payer } from './payers.ts';
import { LOST, SharedLog } from './sharedLog.ts';
import type { openTill, Till, WantedMessage } from './subject.ts';

export interface DaysTally {
  readonly days: number;
  readonly calls: number;
  readonly refused: number;
  /** Calls whose answer a limit made shorter. */
  readonly shortened: number;
  readonly crashes: number;
  readonly overshoots: number;
  /** Each with its seed. */
  readonly faults: readonly string[];
}

const DAYS_EACH = 8;
const DAY_MS = 86_400_000;
/** Tokens below which an answer to the payer's session is of no use. */
const LEAST: Readonly<Record<Payer, number>> = {
  attempt: 4_000,
  review: 3_000,
  job: 3_000,
  conversation: 2_000,
  task: Number.POSITIVE_INFINITY,
};
const MODELS = ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5', 'claude-fable-5-1'];

/** Of one workspace after the other, each with limits of its own. */
export async function spendDays(open: typeof openTill, days: number, seed: number): Promise<DaysTally> {
  const tally = { days: 0, calls: 0, refused: 0, shortened: 0, crashes: 0, overshoots: 0, faults: [] as string[] };
  for (let n = 0; tally.days < days; n++) {
    const workspace = new Workspace(open, seed + n, tally);
    await workspace.live(Math.min(DAYS_EACH, days - tally.days));
    tally.overshoots += workspace.oracle.overshoots;
    tally.faults.push(...workspace.oracle.faults.map((fault) => `seed ${seed + n}: ${fault}`));
  }
  return tally;
}

type Counts = { days: number; calls: number; refused: number; shortened: number; crashes: number };

class Workspace {
  readonly oracle: BudgetOracle;
  readonly #open: typeof openTill;
  readonly #random: (below: number) => number;
  readonly #tally: Counts;
  readonly #clock = new FakeClock({ skipSleeps: true });
  readonly #log: SharedLog;
  readonly #ceilings: Ceilings;
  /** What the provider bills for a call, by the ledger's number. */
  readonly #bill = new Map<number, number>();
  #life = new AbortController();
  /** Sessions of which an answer had its full length, perhaps a shortened one: later ones may be refused instead. */
  readonly #cutShort = new Set<number>();

  constructor(open: typeof openTill, seed: number, tally: Counts) {
    this.#open = open;
    this.#random = randomOf(seed);
    this.#tally = tally;
    this.#ceilings = {
      attempt: this.#limit() ?? 1e12,
      job: this.#limit(),
      task: this.#limit(),
      project_day: this.#limit(),
      project_total: this.#limit(),
    };
    this.oracle = new BudgetOracle(this.#ceilings);
    this.#log = new SharedLog((event) => this.oracle.take(event));
  }

  async live(days: number): Promise<void> {
    let till = await this.#start(this.#ceilings);
    await this.#setLimits(till);
    for (let day = 0; day < days; day++) {
      this.#tally.days++;
      this.#moveClock();
      const lanes = Array.from({ length: 1 + this.#random(32) }, () => this.#spend(till));
      if (this.#random(4) === 0) {
        for (let turns = this.#random(12); turns > 0; turns--) await setImmediate();
        this.#life.abort();
        this.#tally.crashes++;
      }
      await Promise.all(lanes);
      if (this.#life.signal.aborted) till = await this.#start(null);
      if (this.#random(3) === 0) await this.#correct(till);
      if (this.#random(8) === 0) await this.#setLimits(till);
    }
    await this.#correct(till);
    const [billed, settled] = [[...this.#bill.values()], this.oracle.settled()].map((all) =>
      all.reduce((sum, micro) => sum + micro, 0),
    );
    if (settled !== billed) this.oracle.faults.push(`the ledger comes to ${settled}, the bill to ${billed}`);
  }

  async #start(ceilings: Ceilings | null): Promise<Till> {
    this.#life = new AbortController();
    const till = await this.#open(this.#clock, this.#log.of(this.#life.signal), ceilings);
    for (const payer of PAYERS) this.oracle.payer(till.sessions[payer], payer);
    return till;
  }

  /** From nothing to more than a day needs; half of them bind. */
  #limit(): number | null {
    return this.#random(2) === 0 ? null : Math.ceil(10 ** (4 + this.#random(3_000) / 1_000));
  }

  async #setLimits(till: Till): Promise<void> {
    const [callMicroUsd, projectMicroUsd, dayMicroUsd, totalMicroUsd] = [1, 2, 3, 4].map(() => this.#limit());
    const limits = {
      callMicroUsd: callMicroUsd ?? null,
      projectMicroUsd: projectMicroUsd ?? null,
      dayMicroUsd: dayMicroUsd ?? null,
      totalMicroUsd: totalMicroUsd ?? null,
    };
    await till.commit({ type: 'limits_set', limits, by: 'steward' });
  }

  /** To the next day, to a later hour, a month on, or back: a little, or a year. */
  #moveClock(): void {
    const chance = this.#random(20);
    const by =
      chance < 13
        ? DAY_MS
        : chance < 15
          ? DAY_MS / 5
          : chance < 16
            ? 30 * DAY_MS
            : chance < 18
              ? -DAY_MS
              : -400 * DAY_MS;
    this.#clock.setWall(this.#clock.now() + Math.round((by * (50 + this.#random(100))) / 100));
  }

  async #spend(till: Till): Promise<void> {
    for (let calls = 1 + this.#random(2); calls > 0; calls--) {
      const payer = PAYERS[this.#random(PAYERS.length)] ?? 'job';
      const wanted = this.#wanted();
      const counted = this.#random(3) === 0 ? this.#random(wanted.inputBound) : null;
      const got = await till.reserve(payer, wanted, counted, this.#life.signal).catch((thrown: unknown) => thrown);
      if (!isReservation(got)) {
        const isCut = this.#cutShort.has(till.sessions[payer]);
        const shortest = isCut ? wanted : { ...wanted, maxTokens: Math.min(wanted.maxTokens, LEAST[payer]) };
        if (!this.#isOver(got)) this.#judgeRefusal(got, till.sessions[payer], wanted, boundedOf(shortest, counted));
        return;
      }
      const { maxTokens } = got;
      if (maxTokens < wanted.maxTokens) this.#tally.shortened++;
      if (maxTokens < Math.min(wanted.maxTokens, LEAST[payer]))
        this.oracle.faults.push('an answer too short to be of use');
      await this.#pay(got, till.sessions[payer], { ...wanted, maxTokens }, counted);
    }
  }

  #wanted(): WantedMessage {
    const model = this.#random(25) === 0 ? 'nobody-knows-9' : (MODELS[this.#random(MODELS.length)] ?? '');
    const inputBound = 1 + (this.#random(10) === 0 ? this.#random(300_000) : this.#random(30_000));
    const cacheWrite = (['none', '5m', '1h'] as const)[this.#random(3)] ?? 'none';
    return { model, inputBound, maxTokens: 1 + this.#random(12_000), cacheWrite };
  }

  /** The call leaves; the provider answers, refuses, or its answer is lost. */
  async #pay(money: Reservation, session: number, wanted: WantedMessage, counted: number | null): Promise<void> {
    this.#tally.calls++;
    const id = this.#claimed(session, wanted, counted);
    if (id === null) return money.release('a call that should not have left');
    const usage = this.#usage(wanted, Math.min(wanted.inputBound, counted ?? wanted.inputBound));
    const cost = microUsdOf(wanted.model, usage);
    const what = this.#random(20);
    if (what > 1) this.#bill.set(id, what === 2 ? 0 : cost);
    for (let turns = this.#random(4); turns > 0; turns--) await setImmediate();
    if (usage.output === wanted.maxTokens) this.#cutShort.add(session);
    const begun = { prompt: { ...usage, output: 0 }, answered: null };
    const cut = () => money.unsettle('cut', this.#random(2) === 0 ? begun : null);
    const booked = what <= 1 ? money.release('HTTP 529') : what <= 3 ? cut() : money.settle(usage);
    await booked.catch((thrown: unknown) => {
      if (!this.#isOver(thrown)) throw thrown;
    });
  }

  /** The ledger's number of a call that left; null, and a fault, when it should not have. */
  #claimed(session: number, wanted: WantedMessage, counted: number | null): number | null {
    const { faults } = this.oracle;
    if (!isPriced(wanted.model)) {
      faults.push('a call whose price is unknown left');
      return null;
    }
    const sums = [mostOf(wanted, wanted.inputBound), mostOf(wanted, boundOf(wanted, counted))];
    const id = this.oracle.claim(session, sums);
    if (id === null) faults.push(`a call was not reserved at ${sums[0]}`);
    return id;
  }

  #usage({ maxTokens, cacheWrite }: WantedMessage, prompt: number): Usage {
    const part = (of: number): number => this.#random(of + 1);
    const all = this.#random(3) === 0;
    const written = cacheWrite === 'none' ? 0 : all ? prompt : part(prompt);
    const cacheWrite1h = cacheWrite === '1h' ? (all ? written : part(written)) : 0;
    const cacheRead = part(prompt - written);
    const input = all ? prompt - written - cacheRead : part(prompt - written - cacheRead);
    return {
      input,
      output: all ? maxTokens : part(maxTokens),
      cacheRead,
      cacheWrite5m: written - cacheWrite1h,
      cacheWrite1h,
    };
  }

  /** No call is refused for what is only in flight, for more than it can cost, or while there is room for its shortest answer. */
  #judgeRefusal(thrown: unknown, session: number, wanted: WantedMessage, least: number): void {
    this.#tally.refused++;
    const { code, details } = thrown as { code?: string; details?: { wantedMicroUsd?: number } };
    if (!isPriced(wanted.model)) {
      if (code !== 'MODEL_UNPRICED') this.oracle.faults.push(`an unknown price is refused with ${String(thrown)}`);
      return;
    }
    if (code !== 'LIMIT_REACHED') this.oracle.faults.push(`refused with ${String(thrown)}`);
    else if ((details?.wantedMicroUsd ?? 0) > mostOf(wanted, wanted.inputBound))
      this.oracle.faults.push('refused for more than it can cost');
    else if (!this.oracle.isInTheWay(session, least, this.#clock.now()))
      this.oracle.faults.push(`${least} was refused where there is room`);
  }

  /** The steward reads the provider's bill. */
  async #correct(till: Till): Promise<void> {
    for (const id of this.oracle.unsettled()) {
      const micro_usd = this.#bill.get(id) ?? 0;
      if (micro_usd > this.oracle.held(id)) this.oracle.faults.push(`call ${id} was held at less than its bill`);
      await till.commit({ type: 'call_adjusted', id, micro_usd, by: 'steward' }).catch((thrown: unknown) => {
        this.oracle.faults.push(`call ${id} cannot be corrected: ${String(thrown)}`);
      });
    }
  }

  /** Its owner died under it. The judged code may be another build, which wraps what it does not know. */
  #isOver(thrown: unknown): boolean {
    if (!this.#life.signal.aborted) return false;
    return (
      thrown === this.#life.signal.reason ||
      (thrown instanceof Error && `${thrown.message} ${thrown.cause}`.includes(LOST))
    );
  }
}

function isReservation(got: unknown): got is Reservation {
  return typeof got === 'object' && got !== null && 'settle' in got;
}

/** The provider's count is an estimate: a margin stays. */
function boundOf({ inputBound }: WantedMessage, counted: number | null): number {
  return Math.min(inputBound, counted === null ? inputBound : Math.ceil(counted * 1.05) + 200);
}

/** The most that a call can cost, with the shorter of both bounds of its prompt. */
function boundedOf(wanted: WantedMessage, counted: number | null): number {
  return isPriced(wanted.model) ? mostOf(wanted, boundOf(wanted, counted)) : 0;
}

/** The most that a call can cost, by prices that are not the gateway's. */
function mostOf({ model, maxTokens, cacheWrite }: WantedMessage, prompt: number): number {
  const usage = { input: 0, output: maxTokens, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  if (cacheWrite === '1h') usage.cacheWrite1h = prompt;
  else if (cacheWrite === '5m') usage.cacheWrite5m = prompt;
  else usage.input = prompt;
  return microUsdOf(model, usage);
}
