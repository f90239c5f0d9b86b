/** Where the money went: sums over the ledger, never counters. Amounts in USD, exact to the micro-USD. */
import type { SpendRow } from '../../shared/domain.ts';
import type { State } from '../../shared/state.ts';
import { laterDay } from '../day.ts';
import { countedMicroUsd } from '../rows.ts';

export interface CostLine {
  readonly key: string;
  readonly label: string;
  readonly calls: number;
  /** Settled at what was reported. */
  readonly settledUsd: number;
  /** In flight now. */
  readonly reservedUsd: number;
  /** Perhaps billed: counted at the worst case. */
  readonly unsettledUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

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
}

const usd = (micro: number): number => micro / 1e6;
const limitUsd = (micro: number | null): number | null => (micro === null ? null : usd(micro));

function line(key: string, label: string, spends: readonly SpendRow[]): CostLine {
  const sum = (amount: (row: SpendRow) => number): number => spends.reduce((total, row) => total + amount(row), 0);
  const counted = (status: SpendRow['status']): number =>
    usd(sum((row) => (row.status === status ? countedMicroUsd(row) : 0)));
  return {
    key,
    label,
    calls: spends.filter((row) => row.status !== 'released').length,
    settledUsd: counted('settled'),
    reservedUsd: counted('reserved'),
    unsettledUsd: counted('unsettled'),
    inputTokens: sum((row) => row.input_tokens),
    outputTokens: sum((row) => row.output_tokens),
    cacheReadTokens: sum((row) => row.cache_read_tokens),
    cacheWriteTokens: sum((row) => row.cache_write_5m_tokens + row.cache_write_1h_tokens),
  };
}

function grouped(
  spends: readonly SpendRow[],
  key: (row: SpendRow) => string | number | null,
  label: (key: string) => string,
): CostLine[] {
  const groups = new Map<string, SpendRow[]>();
  for (const spend of spends) {
    const id = key(spend);
    if (id === null) continue;
    const group = groups.get(String(id));
    if (group === undefined) groups.set(String(id), [spend]);
    else group.push(spend);
  }
  return [...groups].map(([id, of]) => line(id, label(id), of));
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
  const feature = (id: string): string => state.features.get(Number(id))?.name ?? id;
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
    total: line('total', 'Total', spends),
    byJob: grouped(
      spends,
      (row) => row.job_id,
      (id) => state.jobs.get(id)?.title ?? id,
    ),
    byPhase: grouped(
      spends,
      (row) => row.phase_id,
      (id) => phaseLabel(state, Number(id)),
    ),
    byFeature: grouped(spends, (row) => row.feature_id, feature),
    byAttempt: grouped(
      spends,
      (row) => row.attempt_id,
      (id) => attemptLabel(state, Number(id)),
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
