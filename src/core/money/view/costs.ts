/** Sums over the ledger by purpose, never counters. Amounts in USD, exact to the micro-USD. */
import type { Spent } from '../../../shared/money.ts';
import { MAIN_PROJECT } from '../../../shared/project/projects.ts';
import type { CostLine } from '../../../shared/workspace/panel.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { laterDay } from '../../text/day.ts';
import { addDay, costLine, costLines, type Ledger, ledgerOf, noDay } from '../ledger.ts';
import { hasPriceOf } from '../price/unpriced.ts';
import { spentOf } from './spent.ts';

export interface Costs {
  readonly version: 1;
  /** Real money; a simulation's does not count against the limit of real money, and the other way round. */
  readonly today: Spent & {
    readonly day: string;
    readonly simulatedUsd: number;
    readonly limitUsd: number | null;
  };
  readonly limits: {
    readonly callUsd: number | null;
    readonly projectUsd: number | null;
    readonly dayUsd: number | null;
    readonly totalUsd: number | null;
  };
  readonly total: CostLine;
  /** Cost of a project's jobs, its tasks and its conversation. */
  readonly byProject: readonly CostLine[];
  readonly byJob: readonly CostLine[];
  /** Cost of the tasks' own steps. A job that a step filed is among the jobs. */
  readonly byTask: readonly CostLine[];
  readonly byPhase: readonly CostLine[];
  readonly byFeature: readonly CostLine[];
  readonly byAttempt: readonly CostLine[];
  readonly byRole: readonly CostLine[];
  readonly byModel: readonly CostLine[];
  readonly unsettled: readonly {
    readonly id: number;
    readonly usd: number;
    readonly role: string;
    readonly model: string;
    readonly reason: string | null;
    readonly at: string;
  }[];
  /** Whether any of it was a simulation: its money is not real. */
  readonly simulated: boolean;
  /** Whether some calls have no price: they cost 0 here and are limited by number and tokens. */
  readonly unpriced: boolean;
}

const usd = (micro: number): number => micro / 1e6;
const limitUsd = (micro: number | null): number | null => (micro === null ? null : usd(micro));

/** `today` is the ledger's day for the caller's clock, `YYYY-MM-DD`; `jobId` limits the lines, never today's sum. */
export function costs(state: State, today: string, jobId: string | null = null): Costs {
  const all = [...state.spends.values()];
  const spends = jobId === null ? all : all.filter((row) => row.job_id === jobId);
  const ledger = ledgerOf(spends);
  const { limits } = state.meta;
  return {
    version: 1,
    today: todayCosts(state, today),
    limits: {
      callUsd: limitUsd(limits.callMicroUsd),
      projectUsd: limitUsd(limits.projectMicroUsd),
      dayUsd: limitUsd(limits.dayMicroUsd),
      totalUsd: limitUsd(limits.totalMicroUsd),
    },
    total: costLine('total', 'Total', ledger.total),
    ...linesOf(state, ledger),
    byTask: costLines(ledger.byTask, (id) => state.tasks.get(id)?.name ?? id),
    unsettled: spends
      .filter((row) => row.status === 'unsettled')
      .map((row) => ({
        id: row.id,
        usd: usd(row.reserved_micro_usd),
        role: row.role,
        model: row.model,
        reason: row.reason,
        at: row.at,
      })),
    simulated: spends.some((row) => row.provider === 'simulated'),
    unpriced: !spends.every(hasPriceOf),
  };
}

/** The sums of today alone: without the tables, one pass over the ledger. */
export function todayCosts(state: State, today: string): Costs['today'] {
  const day = laterDay(today, state.meta.last_day);
  const sum = noDay();
  for (const row of state.spends.values()) if (row.day === day) addDay(sum, row, 1);
  return {
    day,
    ...spentOf(sum.real),
    simulatedUsd: usd(sum.simulated),
    limitUsd: limitUsd(state.meta.limits.dayMicroUsd),
  };
}

/** If there are more lines than `most`: the most expensive ones, and the rest as one line. */
export function linesOf(
  state: State,
  ledger: Ledger,
  most?: number,
): Pick<Costs, 'byProject' | 'byJob' | 'byPhase' | 'byFeature' | 'byAttempt' | 'byRole' | 'byModel'> {
  const itself = (name: string): string => name;
  const ofProjects = [...ledger.byProject].flatMap(([id, { sums }]) => (sums.rows === 0 ? [] : [[id, sums] as const]));
  return {
    byProject: costLines(new Map(ofProjects), (id) => (id === MAIN_PROJECT ? 'main agent' : id), most),
    byJob: costLines(ledger.byJob, (id) => state.jobs.get(id)?.title ?? id, most),
    byPhase: costLines(ledger.byPhase, (id) => phaseLabel(state, id), most),
    byFeature: costLines(ledger.byFeature, (id) => state.features.get(id)?.name ?? String(id), most),
    byAttempt: costLines(ledger.byAttempt, (id) => attemptLabel(state, id), most),
    byRole: costLines(ledger.byRole, itself, most),
    byModel: costLines(ledger.byModel, itself, most),
  };
}

function phaseLabel(state: State, id: number): string {
  const phase = state.phases.get(id);
  return phase === undefined ? String(id) : `${phase.number}. ${phase.title}`;
}

function attemptLabel(state: State, id: number): string {
  const attempt = state.attempts.get(id);
  if (attempt === undefined) return String(id);
  const name =
    attempt.feature_id === null
      ? `review of ${phaseLabel(state, attempt.phase_id)}`
      : (state.features.get(attempt.feature_id)?.name ?? '');
  return `${name} #${attempt.number}`;
}
