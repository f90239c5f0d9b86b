/**
 * The provider's and the steward's view of the money: reads the event log as it grows, knows who each session works for, which
 * day it is, and what each call really cost. Of how a call is admitted it knows nothing.
 */

import type { Limits } from '../../../src/shared/money.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { type Ceilings, COUNTS_FOR, type Payer } from './payers.ts';

/** What a sum belongs to: `job:first`, `day:2026-11-22`. */
type Scope = string;

interface Row {
  readonly scopes: readonly (readonly [Scope, number | null])[];
  readonly reserved: number;
  status: 'reserved' | 'settled' | 'released' | 'unsettled';
  /** As it counts. */
  micro: number;
}

export class BudgetOracle {
  readonly faults: string[] = [];
  overshoots = 0;
  readonly #ceilings: Ceilings;
  readonly #rows = new Map<number, Row>();
  /** Held: settled, or reserved at the most. */
  readonly #held = new Map<Scope, number>();
  /** Held by calls in flight: they may yet come out at nothing. */
  readonly #open = new Map<Scope, number>();
  readonly #unclaimed: { readonly id: number; readonly session: number; readonly reserved: number }[] = [];
  readonly #payers = new Map<number, { readonly payer: Payer; readonly attempt: number }>();
  #limits: Limits = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: null };
  /** As a number: 20261122. */
  #day = 0;

  constructor(ceilings: Ceilings) {
    this.#ceilings = ceilings;
  }

  payer(session: number, payer: Payer): void {
    this.#payers.set(session, { payer, attempt: session });
  }

  take(event: Event): void {
    switch (event.type) {
      case 'limits_set':
        this.#limits = event.limits;
        break;
      case 'owner_started':
        for (const row of this.#rows.values())
          if (row.status === 'reserved') this.#move(row, 'unsettled', row.reserved);
        break;
      case 'call_reserved':
        this.#reserved(event.id, event.session_id, event.micro_usd, event.at);
        break;
      case 'call_settled':
      case 'call_adjusted':
        this.#moveId(event.id, 'settled', event.micro_usd);
        break;
      case 'call_released':
        this.#moveId(event.id, 'released', 0);
        break;
      case 'call_unsettled':
        this.#moveId(event.id, 'unsettled', event.micro_usd ?? null);
        break;
      default:
    }
  }

  /** The call of a session that was reserved at one of these sums, and that nobody has claimed; null: there is none. */
  claim(session: number, sums: readonly number[]): number | null {
    const at = this.#unclaimed.findIndex((one) => one.session === session && sums.includes(one.reserved));
    return this.#unclaimed.splice(at, at < 0 ? 0 : 1)[0]?.id ?? null;
  }

  unsettled(): number[] {
    return [...this.#rows].flatMap(([id, { status }]) => (status === 'unsettled' ? [id] : []));
  }

  /** What is held for a call, micro-USD. */
  held(id: number): number {
    return this.#rows.get(id)?.micro ?? 0;
  }

  /** What each call was booked at. */
  settled(): number[] {
    return [...this.#rows.values()].flatMap(({ status, micro }) => (status === 'settled' ? [micro] : []));
  }

  /** Of calls in flight, which nobody has booked. */
  open(): number {
    return [...this.#rows.values()].filter(({ status }) => status === 'reserved').length;
  }

  /** Whether some limit is in the way of a call of this size, even when all in flight comes out at nothing. */
  isInTheWay(session: number, micro: number, at: number): boolean {
    const scopes = this.#scopesOf(session, this.#dayAt(at));
    return scopes.some(([scope, limit]) => {
      const spent = (this.#held.get(scope) ?? 0) - (this.#open.get(scope) ?? 0);
      return limit !== null && spent + micro > limit;
    });
  }

  #reserved(id: number, session: number, micro: number, at: string): void {
    this.#day = this.#dayAt(Date.parse(at));
    const row: Row = { scopes: this.#scopesOf(session, this.#day), reserved: micro, status: 'released', micro: 0 };
    this.#rows.set(id, row);
    this.#unclaimed.push({ id, session, reserved: micro });
    this.#move(row, 'reserved', micro);
    for (const [scope, limit] of row.scopes) {
      const held = scope === 'call' ? micro : (this.#held.get(scope) ?? 0);
      if (limit === null || held <= limit) continue;
      this.overshoots++;
      this.faults.push(`call ${id} makes ${held} of ${scope}, whose limit is ${limit}`);
    }
  }

  /** A day that has been is over, whatever the clock says. */
  #dayAt(ms: number): number {
    const now = new Date(ms);
    return Math.max(this.#day, (now.getFullYear() * 100 + now.getMonth() + 1) * 100 + now.getDate());
  }

  #scopesOf(session: number, day: number): Row['scopes'] {
    const known = this.#payers.get(session);
    if (known === undefined) throw new Error(`nobody pays for session ${session}`);
    const { project, of } = COUNTS_FOR[known.payer];
    const { attempt, job, task, project_day, project_total } = this.#ceilings;
    const second = project !== 'default';
    return [
      ['call', this.#limits.callMicroUsd],
      ['total', this.#limits.totalMicroUsd],
      [`day ${day}`, this.#limits.dayMicroUsd],
      [`project ${project}`, this.#limits.projectMicroUsd],
      ...(known.payer === 'attempt' ? ([[`attempt ${known.attempt}`, attempt]] as const) : []),
      ...(of === 'task' ? ([['task', task]] as const) : of === null ? [] : ([[`job ${of}`, job]] as const)),
      ...(second
        ? ([
            [`own total of ${project}`, project_total],
            [`own day of ${project} ${day}`, project_day],
          ] as const)
        : []),
    ];
  }

  #moveId(id: number, status: Row['status'], micro: number | null): void {
    const row = this.#rows.get(id);
    if (row === undefined) this.faults.push(`call ${id} was never reserved`);
    else this.#move(row, status, micro ?? row.reserved);
  }

  #move(row: Row, status: Row['status'], micro: number): void {
    for (const [scope] of row.scopes) {
      this.#held.set(scope, (this.#held.get(scope) ?? 0) + micro - row.micro);
      if (status === 'reserved') this.#open.set(scope, (this.#open.get(scope) ?? 0) + micro);
      else if (row.status === 'reserved') this.#open.set(scope, (this.#open.get(scope) ?? 0) - row.micro);
    }
    row.status = status;
    row.micro = micro;
  }
}

/** Every settled call is one of the bill's, each of them once; what the bill has beside is listed as perhaps billed. */
export function unlikeBill(
  {
    settled,
    unsettled,
    open,
  }: { readonly settled: readonly number[]; readonly unsettled: number; readonly open: number },
  bill: readonly number[],
): string[] {
  const left = [...bill];
  const faults = open === 0 ? [] : [`${open} calls are in flight for ever`];
  for (const micro of settled) {
    const at = left.indexOf(micro);
    if (at < 0) faults.push(`${micro} were settled, and never billed`);
    else left.splice(at, 1);
  }
  if (left.length > unsettled)
    faults.push(`${left.length} billed calls are not settled, ${unsettled} are listed as perhaps billed`);
  return faults;
}
