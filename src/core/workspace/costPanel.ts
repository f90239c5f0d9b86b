/** Builds the costs for the pages: today's, and, while the page shows them, the tables, the chart and the sessions. */

import type { SpendRow } from '../../shared/money.ts';
import type { Role, SessionRow } from '../../shared/session.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { PanelCostSession, PanelCosts, PanelCostTables } from '../../shared/workspace/panel.ts';
import type { State } from '../../shared/workspace/state.ts';
import { sessionFacts } from '../job/view/details.ts';
import { sessionStandsStill } from '../job/view/jobStatus.ts';
import { costLine, countedIn, noDay, openIn } from '../money/ledger.ts';
import { cacheLines, sessionAmounts } from '../money/view/cacheLines.ts';
import { linesOf } from '../money/view/costs.ts';
import { executorLines } from '../money/view/executorCosts.ts';
import type { LedgerWithUses } from '../money/view/sessionUses.ts';
import { countedMicroUsd } from '../state/rows.ts';
import { laterDay } from '../text/day.ts';

const MAX_POINTS = 300;
const MAX_SESSIONS = 200;
/** Limit of the lines of a table. The most expensive ones are shown. */
const MAX_LINES = 500;

/** Calls in flight are left out: they may cost less, and would cause a peak that disappears later. */
const isSpent = ({ status }: SpendRow): boolean => status === 'settled' || status === 'unsettled';

/** Cumulative cost over time for each role, reduced to the resolution of a chart. If the clock goes back, the time does not advance. */
function series(state: State): PanelCostTables['series'] {
  const sums = new Map<Role, number>();
  let rows = 0;
  for (const row of state.spends.values()) {
    if (!isSpent(row)) continue;
    rows++;
    sums.set(row.role, 0);
  }
  const points: { readonly at: number; readonly usd: readonly number[] }[] = [];
  const every = Math.max(1, Math.ceil(rows / MAX_POINTS));
  let index = 0;
  let at = 0;
  for (const row of state.spends.values()) {
    if (!isSpent(row)) continue;
    sums.set(row.role, (sums.get(row.role) ?? 0) + countedMicroUsd(row));
    if (index % every === 0 || index === rows - 1) {
      at = Math.max(at, Date.parse(row.at) / 1000);
      points.push({ at, usd: Array.from(sums.values(), (micro) => micro / 1e6) });
    }
    index++;
  }
  return { roles: [...sums.keys()], points };
}

function sessionView(state: State, ledger: LedgerWithUses, row: SessionRow, atWork: AtWork): PanelCostSession {
  return {
    ...sessionFacts(row),
    cache: sessionAmounts(ledger, row.id),
    ...(sessionStandsStill(row, atWork) ? { still: true } : {}),
    jobTitle: row.job_id === null ? null : (state.jobs.get(row.job_id)?.title ?? null),
    featureName: row.feature_id === null ? null : (state.features.get(row.feature_id)?.name ?? null),
  };
}

/** The newest first. */
function sessions(state: State, ledger: LedgerWithUses, atWork: AtWork): PanelCostSession[] {
  return [...state.sessions.values()]
    .slice(-MAX_SESSIONS)
    .map((row) => sessionView(state, ledger, row, atWork))
    .reverse();
}

/** `ledger` must be up to date with the state. `tablesFor`: the work of the owner, or null if the page does not show the tables. */
export function costView(state: State, today: string, ledger: LedgerWithUses, tablesFor: AtWork | null): PanelCosts {
  const day = laterDay(today, state.meta.last_day);
  const { dayMicroUsd } = state.meta.limits;
  const { real, simulated } = ledger.byDay.get(day) ?? noDay();
  return {
    day,
    todayUsd: countedIn(real) / 1e6,
    todayOpenUsd: openIn(real) / 1e6,
    todaySimulatedUsd: simulated / 1e6,
    dayLimitUsd: dayMicroUsd === null ? null : dayMicroUsd / 1e6,
    total: costLine('total', 'Total', ledger.total),
    tables:
      tablesFor !== null
        ? {
            ...linesOf(state, ledger, MAX_LINES),
            executors: executorLines(state, ledger),
            series: series(state),
            cache: cacheLines(state, ledger, MAX_LINES),
            sessions: sessions(state, ledger, tablesFor),
          }
        : null,
  };
}
