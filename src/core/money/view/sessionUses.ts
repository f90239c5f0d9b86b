/** Keeps the settled calls of each session, and what they were paid for, which is computed when it is first needed. */
import type { SpendRow } from '../../../shared/money.ts';
import { PRICES } from '../prices.ts';
import type { PriceTable } from '../pricing.ts';
import { type CacheUse, sessionCacheUse } from './cacheUse.ts';

interface SessionCalls extends Pick<SpendRow, 'job_id' | 'role'> {
  /** How often each is booked: a row may be added at its new place before it is removed from the old one. */
  readonly rows: Map<SpendRow, number>;
  /** Null if a call was added or removed since. */
  use: CacheUse | null;
}

/** One session's, with the job and the role that its calls belong to. */
export interface SessionUse extends Pick<SpendRow, 'job_id' | 'role'> {
  readonly id: number;
  readonly use: CacheUse;
}

/** Calls after which `catchUp` yields. */
const PIECE = 2_000;

export class SessionUses {
  readonly #prices: PriceTable;
  readonly #sessions = new Map<number, SessionCalls>();

  constructor(prices: PriceTable = PRICES) {
    this.#prices = prices;
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
    calls.use = null;
    const times = (calls.rows.get(row) ?? 0) + sign;
    if (times === 0) calls.rows.delete(row);
    else calls.rows.set(row, times);
    if (calls.rows.size === 0) this.#sessions.delete(id);
  }

  /** Undefined if the session has no settled call. */
  of(sessionId: number): CacheUse | undefined {
    const calls = this.#sessions.get(sessionId);
    return calls === undefined ? undefined : this.#useOf(calls);
  }

  *all(): Generator<SessionUse> {
    for (const [id, calls] of this.#sessions) yield { id, ...calls, use: this.#useOf(calls) };
  }

  /** Computes by pieces what is not computed yet. */
  *catchUp(): Generator<undefined> {
    let counted = 0;
    for (const calls of this.#sessions.values()) {
      if (calls.use !== null) continue;
      if (counted >= PIECE) {
        counted = 0;
        yield;
      }
      this.#useOf(calls);
      counted += calls.rows.size;
    }
  }

  #useOf(calls: SessionCalls): CacheUse {
    calls.use ??= sessionCacheUse(
      [...calls.rows.keys()].sort((one, other) => one.id - other.id),
      this.#prices,
    );
    return calls.use;
  }
}
