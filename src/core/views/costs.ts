/** Where the money went: sums over the ledger, never counters. Amounts in USD, exact to the micro-USD. */
import type { SpendRow } from '../../shared/domain.ts';
import type { CostLine } from '../../shared/panelView.ts';
import type { State } from '../../shared/state.ts';
import { laterDay } from '../day.ts';
import { countedMicroUsd } from '../rows.ts';
import { isPriced } from '../unpriced.ts';

export interface Costs {
  readonly version: 1;
  readonly today: {
    readonly day: string;
    /** Real money; a simulation's does not count against the limit of real money, and the other way round. */
    readonly spentUsd: number;
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
  readonly byJob: readonly CostLine[];
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

interface Sums {
  calls: number;
  settled: number;
  reserved: number;
  unsettled: number;
  released: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

function add(sums: Sums, row: SpendRow): void {
  if (row.status !== 'released') sums.calls++;
  sums[row.status] += countedMicroUsd(row);
  sums.input += row.input_tokens;
  sums.output += row.output_tokens;
  sums.cacheRead += row.cache_read_tokens;
  sums.cacheWrite += row.cache_write_5m_tokens + row.cache_write_1h_tokens;
}

const nothing = (): Sums => ({
  calls: 0,
  settled: 0,
  reserved: 0,
  unsettled: 0,
  released: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
});

function line(key: string, label: string, sums: Sums): CostLine {
  return {
    key,
    label,
    calls: sums.calls,
    settledUsd: usd(sums.settled),
    reservedUsd: usd(sums.reserved),
    unsettledUsd: usd(sums.unsettled),
    inputTokens: sums.input,
    outputTokens: sums.output,
    cacheReadTokens: sums.cacheRead,
    cacheWriteTokens: sums.cacheWrite,
  };
}

function totalOf(spends: readonly SpendRow[]): CostLine {
  const sums = nothing();
  for (const row of spends) add(sums, row);
  return line('total', 'Total', sums);
}

function grouped<Key extends string | number>(
  spends: readonly SpendRow[],
  key: (row: SpendRow) => Key | null,
  label: (key: Key) => string,
): CostLine[] {
  const groups = new Map<Key, Sums>();
  for (const row of spends) {
    const id = key(row);
    if (id === null) continue;
    let sums = groups.get(id);
    if (sums === undefined) {
      sums = nothing();
      groups.set(id, sums);
    }
    add(sums, row);
  }
  return [...groups].map(([id, sums]) => line(String(id), label(id), sums));
}

function sumOfDay(spends: readonly SpendRow[], day: string, simulated: boolean): number {
  const counts = (row: SpendRow): boolean => row.day === day && (row.provider === 'simulated') === simulated;
  return spends.reduce((sum, row) => sum + (counts(row) ? countedMicroUsd(row) : 0), 0);
}

/** `today` is the ledger's day for the caller's clock, `YYYY-MM-DD`; `jobId` limits the lines, never today's sum. */
export function costs(state: State, today: string, jobId: string | null = null): Costs {
  const all = [...state.spends.values()];
  const spends = jobId === null ? all : all.filter((row) => row.job_id === jobId);
  const day = laterDay(today, state.meta.last_day);
  const { limits } = state.meta;
  const feature = (id: number): string => state.features.get(id)?.name ?? String(id);
  return {
    version: 1,
    today: {
      day,
      spentUsd: usd(sumOfDay(all, day, false)),
      simulatedUsd: usd(sumOfDay(all, day, true)),
      limitUsd: limitUsd(limits.dayMicroUsd),
    },
    limits: {
      callUsd: limitUsd(limits.callMicroUsd),
      projectUsd: limitUsd(limits.projectMicroUsd),
      dayUsd: limitUsd(limits.dayMicroUsd),
      totalUsd: limitUsd(limits.totalMicroUsd),
    },
    total: totalOf(spends),
    byJob: grouped(
      spends,
      (row) => row.job_id,
      (id) => state.jobs.get(id)?.title ?? id,
    ),
    byPhase: grouped(
      spends,
      (row) => row.phase_id,
      (id) => phaseLabel(state, id),
    ),
    byFeature: grouped(spends, (row) => row.feature_id, feature),
    byAttempt: grouped(
      spends,
      (row) => row.attempt_id,
      (id) => attemptLabel(state, id),
    ),
    byRole: grouped(
      spends,
      (row) => row.role,
      (role) => role,
    ),
    byModel: grouped(
      spends,
      (row) => row.model,
      (model) => model,
    ),
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
    unpriced: spends.some((row) => !isPriced(row.provider)),
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
