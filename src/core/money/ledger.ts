/** Sums of the ledger by purpose, in integer micro-USD, so that rows can be subtracted exactly. */
import type { SpendRow } from '../../shared/money.ts';
import type { CostLine } from '../../shared/workspace/panel.ts';
import { countedMicroUsd } from '../state/rows.ts';
import { hasPriceOf } from './price/unpriced.ts';
import { addSpend, noSums, type SpentSums } from './view/spent.ts';

export interface Sums extends SpentSums {
  /** Rows in it; a group without any is dropped. */
  rows: number;
  calls: number;
  unpricedCalls: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface DaySum {
  /** Real money; a simulation's does not count against the limit of real money, and the other way round. */
  readonly real: SpentSums;
  /** Settled, or possibly billed. Simulated calls in flight have no amount. */
  simulated: number;
}

/** The sums of one project: all its jobs and its conversation, those of a simulation too. */
export interface ProjectSum {
  readonly sums: Sums;
  readonly byDay: Map<string, SpentSums>;
  /** Calls of its conversation in flight. */
  asking: number;
}

export interface Ledger {
  readonly total: Sums;
  readonly byDay: Map<string, DaySum>;
  readonly byProject: Map<string, ProjectSum>;
  readonly byJob: Map<string, Sums>;
  readonly byPhase: Map<number, Sums>;
  readonly byFeature: Map<number, Sums>;
  readonly byAttempt: Map<number, Sums>;
  readonly bySession: Map<number, Sums>;
  readonly byTask: Map<string, Sums>;
  readonly byStep: Map<number, Sums>;
  /** Calls of a simulated model, by task. */
  readonly simulatedTasks: Map<string, number>;
  readonly byRole: Map<string, Sums>;
  readonly byModel: Map<string, Sums>;
  /** What the tokens of each session were paid for. Absent for those who do not show it. */
  readonly uses?: { book(row: SpendRow, sign: 1 | -1): void };
}

function nothing(): Sums {
  return {
    rows: 0,
    calls: 0,
    unpricedCalls: 0,
    settled: 0,
    reserved: 0,
    unsettled: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
  };
}

export function emptyLedger(): Ledger {
  return {
    total: nothing(),
    byDay: new Map(),
    byProject: new Map(),
    byJob: new Map(),
    byPhase: new Map(),
    byFeature: new Map(),
    byAttempt: new Map(),
    bySession: new Map(),
    byTask: new Map(),
    byStep: new Map(),
    simulatedTasks: new Map(),
    byRole: new Map(),
    byModel: new Map(),
  };
}

function add(sums: Sums, row: SpendRow, sign: 1 | -1): void {
  sums.rows += sign;
  if (row.status !== 'released') {
    sums.calls += sign;
    if (!hasPriceOf(row)) sums.unpricedCalls += sign;
  }
  addSpend(sums, row, sign);
  sums.input += sign * row.input_tokens;
  sums.output += sign * row.output_tokens;
  sums.cacheRead += sign * row.cache_read_tokens;
  sums.cacheWrite += sign * (row.cache_write_5m_tokens + row.cache_write_1h_tokens);
}

function addTo<Key>(groups: Map<Key, Sums>, key: Key | null, row: SpendRow, sign: 1 | -1): void {
  if (key === null) return;
  let sums = groups.get(key);
  if (sums === undefined) {
    sums = nothing();
    groups.set(key, sums);
  }
  add(sums, row, sign);
  if (sums.rows === 0) groups.delete(key);
}

export function noDay(): DaySum {
  return { real: noSums(), simulated: 0 };
}

export function addDay(day: DaySum, row: SpendRow, sign: 1 | -1): void {
  if (row.provider !== 'simulated') addSpend(day.real, row, sign);
  else if (row.status !== 'reserved') day.simulated += sign * countedMicroUsd(row);
}

function addToProject(projects: Map<string, ProjectSum>, row: SpendRow, sign: 1 | -1): void {
  let of = projects.get(row.project_id);
  if (of === undefined) {
    of = { sums: nothing(), byDay: new Map(), asking: 0 };
    projects.set(row.project_id, of);
  }
  add(of.sums, row, sign);
  const day = of.byDay.get(row.day) ?? noSums();
  addSpend(day, row, sign);
  of.byDay.set(row.day, day);
  if (row.job_id === null && row.task_id === null && row.status === 'reserved') of.asking += sign;
}

function addSimulated(calls: Map<string, number>, { task_id, provider }: SpendRow, sign: 1 | -1): void {
  if (task_id === null || provider !== 'simulated') return;
  const left = (calls.get(task_id) ?? 0) + sign;
  if (left === 0) calls.delete(task_id);
  else calls.set(task_id, left);
}

/** Books a row, or with -1 takes it out. */
export function book(ledger: Ledger, row: SpendRow, sign: 1 | -1): void {
  add(ledger.total, row, sign);
  let day = ledger.byDay.get(row.day);
  if (day === undefined) {
    day = noDay();
    ledger.byDay.set(row.day, day);
  }
  addDay(day, row, sign);
  addToProject(ledger.byProject, row, sign);
  addTo(ledger.byJob, row.job_id, row, sign);
  addTo(ledger.byPhase, row.phase_id, row, sign);
  addTo(ledger.byFeature, row.feature_id, row, sign);
  addTo(ledger.byAttempt, row.attempt_id, row, sign);
  addTo(ledger.bySession, row.session_id, row, sign);
  addTo(ledger.byTask, row.task_id, row, sign);
  addTo(ledger.byStep, row.step_id, row, sign);
  addSimulated(ledger.simulatedTasks, row, sign);
  addTo(ledger.byRole, row.role, row, sign);
  addTo(ledger.byModel, row.model, row, sign);
  ledger.uses?.book(row, sign);
}

export function ledgerOf(rows: Iterable<SpendRow>): Ledger {
  const ledger = emptyLedger();
  for (const row of rows) book(ledger, row, 1);
  return ledger;
}

/** Upper bound of the calls' current cost, micro-USD. */
export function countedIn(sums: SpentSums | undefined): number {
  return sums === undefined ? 0 : sums.settled + sums.reserved + sums.unsettled;
}

/** Part of that amount that is in flight or possibly billed. */
export function openIn(sums: SpentSums | undefined): number {
  return sums === undefined ? 0 : sums.reserved + sums.unsettled;
}

/** The certain cost: for a card, which must not overstate it. */
export function settledIn(sums: Sums | undefined): number {
  return sums?.settled ?? 0;
}

/** Input and output. */
export function tokensIn(sums: Sums | undefined): number {
  return sums === undefined ? 0 : sums.input + sums.output;
}

/** Whether the engine has no price for any of its calls. */
export function isUnpriced(sums: Sums | undefined): boolean {
  return sums !== undefined && sums.calls > 0 && sums.unpricedCalls === sums.calls;
}

export function costLine(key: string, label: string, sums: Sums): CostLine {
  return {
    key,
    label,
    calls: sums.calls,
    unpricedCalls: sums.unpricedCalls,
    settledUsd: sums.settled / 1e6,
    reservedUsd: sums.reserved / 1e6,
    unsettledUsd: sums.unsettled / 1e6,
    inputTokens: sums.input,
    outputTokens: sums.output,
    cacheReadTokens: sums.cacheRead,
    cacheWriteTokens: sums.cacheWrite,
  };
}

function together(all: Iterable<Sums>): Sums {
  const sum = nothing();
  for (const one of all) for (const name of Object.keys(sum) as (keyof Sums)[]) sum[name] += one[name];
  return sum;
}

/** A line for each group, in their order; if there are more than `most`, the most expensive ones and the rest as one line. */
export function costLines<Key extends string | number>(
  groups: ReadonlyMap<Key, Sums>,
  label: (key: Key) => string,
  most = Number.POSITIVE_INFINITY,
): CostLine[] {
  const line = ([key, sums]: readonly [Key, Sums]): CostLine => costLine(String(key), label(key), sums);
  if (groups.size <= most) return [...groups].map(line);
  const mostExpensive = [...groups].sort(([, a], [, b]) => countedIn(b) - countedIn(a));
  const rest = mostExpensive.slice(most).map(([, sums]) => sums);
  return [...mostExpensive.slice(0, most).map(line), costLine('', `${rest.length} others`, together(rest))];
}
