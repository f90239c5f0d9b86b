/** Keeps what the tokens of each session were paid for, and the sums. A change computes the sessions that it concerns, when they are needed. */
import type { SpendRow } from '../../../shared/money.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { book, emptyLedger, type Ledger } from '../ledger.ts';
import type { PriceTable } from '../price/pricing.ts';
import { pricesOfJobs } from '../price/terms.ts';
import { addCacheUse, type CacheUse, noCacheUse, sessionCacheUse } from './cacheUse.ts';

interface SessionCalls extends Pick<SpendRow, 'job_id' | 'role'> {
  /** How often each is booked: a row may be added at its new place before it is removed from the old one. */
  readonly rows: Map<SpendRow, number>;
  /** As the sums contain it. Null if they do not. */
  use: CacheUse | null;
}

export interface SumsOfUses {
  readonly total: CacheUse;
  readonly byJob: ReadonlyMap<string, CacheUse>;
  readonly byRole: ReadonlyMap<string, CacheUse>;
}

/** The prices of a job's calls; null for calls outside of jobs. */
type PricesOf = (jobId: string | null) => PriceTable;

/** Calls after which `catchUp` yields. */
const PIECE = 2_000;

export class SessionUses {
  readonly #pricesOf: PricesOf;
  readonly #sessions = new Map<number, SessionCalls>();
  /** Sessions whose calls changed since they were computed. */
  readonly #changed = new Set<number>();
  readonly #total = noCacheUse();
  readonly #byJob = new Map<string, CacheUse>();
  readonly #byRole = new Map<string, CacheUse>();

  constructor(pricesOf: PricesOf) {
    this.#pricesOf = pricesOf;
  }

  /** Adds a call, or with -1 removes it. */
  book(row: SpendRow, sign: 1 | -1): void {
    if (row.status !== 'settled') return;
    const { session_id: id, job_id, role } = row;
    let calls = this.#sessions.get(id);
    if (calls === undefined) {
      calls = { job_id, role, rows: new Map(), use: null };
      this.#sessions.set(id, calls);
    }
    const times = (calls.rows.get(row) ?? 0) + sign;
    if (times === 0) calls.rows.delete(row);
    else calls.rows.set(row, times);
    this.#changed.add(id);
  }

  /** Undefined if the session has no settled call. */
  of(sessionId: number): CacheUse | undefined {
    if (this.#changed.has(sessionId)) this.#compute(sessionId);
    return this.#sessions.get(sessionId)?.use ?? undefined;
  }

  /** By the ids of the sessions. */
  all(): ReadonlyMap<number, CacheUse> {
    this.#computeAll();
    return new Map([...this.#sessions].flatMap(([id, { use }]) => (use === null ? [] : [[id, use] as const])));
  }

  sums(): SumsOfUses {
    this.#computeAll();
    return { total: this.#total, byJob: this.#byJob, byRole: this.#byRole };
  }

  /** Computes by pieces what changed. */
  *catchUp(): Generator<undefined> {
    let counted = 0;
    for (const id of this.#changed) {
      if (counted >= PIECE) {
        counted = 0;
        yield;
      }
      counted += this.#sessions.get(id)?.rows.size ?? 0;
      this.#compute(id);
    }
  }

  #computeAll(): void {
    for (const id of this.#changed) this.#compute(id);
  }

  #compute(id: number): void {
    this.#changed.delete(id);
    const calls = this.#sessions.get(id);
    if (calls === undefined) return;
    const before = calls.use;
    if (calls.rows.size === 0) this.#sessions.delete(id);
    else {
      const inOrder = [...calls.rows.keys()].sort((one, other) => one.id - other.id);
      calls.use = sessionCacheUse(inOrder, this.#pricesOf(calls.job_id));
      this.#count(calls, calls.use, 1);
    }
    // After that, so that a sum keeps its place.
    if (before !== null) this.#count(calls, before, -1);
  }

  #count({ job_id, role }: SessionCalls, use: CacheUse, sign: 1 | -1): void {
    addCacheUse(this.#total, use, sign);
    addTo(this.#byRole, role, use, sign);
    if (job_id !== null) addTo(this.#byJob, job_id, use, sign);
  }
}

function addTo(sums: Map<string, CacheUse>, key: string, use: CacheUse, sign: 1 | -1): void {
  const sum = sums.get(key) ?? noCacheUse();
  sums.set(key, sum);
  addCacheUse(sum, use, sign);
  if (sum.calls === 0) sums.delete(key);
}

export interface LedgerWithUses extends Ledger {
  readonly uses: SessionUses;
}

const NO_JOBS: Pick<State, 'jobs'> = { jobs: new Map() };

/** `state` has the jobs whose prices apply. */
export function ledgerWithUses(rows: Iterable<SpendRow> = [], state: Pick<State, 'jobs'> = NO_JOBS): LedgerWithUses {
  const ledger = { ...emptyLedger(), uses: new SessionUses(pricesOfJobs(state)) };
  for (const row of rows) book(ledger, row, 1);
  return ledger;
}
