/** Results by executor and role of a session: attempts, passed attempts, durations and costs. */

import { BUILT_IN, EXECUTOR_ROLES, type ExecutorRole } from '../../../shared/agent/executors.ts';
import type { AttemptRow, AttemptStatus } from '../../../shared/job/rows.ts';
import type { Role, SessionRow } from '../../../shared/session.ts';
import type { ExecutorLine } from '../../../shared/workspace/panel.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Ledger, Sums } from '../ledger.ts';
import { noSums, type SpentSums } from './spent.ts';

/** Results that count. An abandoned attempt does not rate its executor. */
const JUDGED: ReadonlySet<AttemptStatus> = new Set(['succeeded', 'failed', 'stuck', 'blocked']);

interface Tally extends SpentSums {
  readonly executor: string;
  readonly role: ExecutorRole;
  attempts: number;
  judged: number;
  passed: number;
  readonly tookMs: number[];
  calls: number;
  unpricedCalls: number;
}

/** One run of an executor that can pass or fail. */
interface Try {
  readonly session: SessionRow;
  readonly passed: boolean;
  readonly judged: boolean;
  /** Null if it is not over. */
  readonly workedMs: number | null;
}

function roleOf({ role, job_id }: SessionRow): ExecutorRole | null {
  return job_id === null ? null : (EXECUTOR_ROLES.find((one) => one === (role satisfies Role)) ?? null);
}

const workedMs = (row: AttemptRow | SessionRow): number | null => (row.ended_at === null ? null : row.worked_ms);

/** Each attempt at a feature or a review is one run. A planner has no attempts, so each of its sessions is one. */
function* tries(state: State, jobId: string | null): Generator<Try> {
  for (const row of state.attempts.values()) {
    const session = state.sessions.get(row.session_id);
    if (session === undefined || (jobId !== null && row.job_id !== jobId)) continue;
    yield { session, passed: row.status === 'succeeded', judged: JUDGED.has(row.status), workedMs: workedMs(row) };
  }
  for (const session of state.sessions.values()) {
    if (session.role !== 'planner' || (jobId !== null && session.job_id !== jobId)) continue;
    const { status } = session;
    yield { session, passed: status === 'completed', judged: status !== 'running', workedMs: workedMs(session) };
  }
}

/** A subagent's calls are those of the session that asked for it. */
function askedBy(state: State, sessionId: number): SessionRow | undefined {
  let session = state.sessions.get(sessionId);
  while (session?.parent_id != null) session = state.sessions.get(session.parent_id);
  return session;
}

function add(tally: Tally, sums: Sums): void {
  tally.calls += sums.calls;
  tally.unpricedCalls += sums.unpricedCalls;
  tally.settled += sums.settled;
  tally.reserved += sums.reserved;
  tally.unsettled += sums.unsettled;
}

function median(values: number[]): number | null {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [high, low] = [sorted[middle], sorted[sorted.length % 2 === 0 ? middle - 1 : middle]];
  return high === undefined || low === undefined ? null : (high + low) / 2;
}

function lineOf({ executor, role, tookMs, settled, reserved, unsettled, ...counts }: Tally): ExecutorLine {
  const { judged, passed } = counts;
  return {
    executor,
    role,
    ...counts,
    passRate: judged === 0 ? null : passed / judged,
    medianMs: median(tookMs),
    settledUsd: settled / 1e6,
    reservedUsd: reserved / 1e6,
    unsettledUsd: unsettled / 1e6,
    usdPerPassed: passed === 0 ? null : settled / passed / 1e6,
  };
}

function inOrder(a: Tally, b: Tally): number {
  if (a.executor === b.executor) return EXECUTOR_ROLES.indexOf(a.role) - EXECUTOR_ROLES.indexOf(b.role);
  if (a.executor === BUILT_IN || b.executor === BUILT_IN) return a.executor === BUILT_IN ? -1 : 1;
  return a.executor < b.executor ? -1 : 1;
}

/** The built-in agent first, then by name; the roles in their order. `ledger` is up to date; `jobId` limits it to one job. */
export function executorLines(state: State, ledger: Ledger, jobId: string | null = null): ExecutorLine[] {
  const tallies = new Map<string, Tally>();
  const tallyOf = (session: SessionRow | undefined): Tally | null => {
    const role = session === undefined ? null : roleOf(session);
    if (session === undefined || role === null) return null;
    const { executor } = session;
    const key = `${executor} ${role}`;
    let tally = tallies.get(key);
    if (tally === undefined) {
      const none = { attempts: 0, judged: 0, passed: 0, calls: 0, unpricedCalls: 0, ...noSums() };
      tally = { executor, role, tookMs: [], ...none };
      tallies.set(key, tally);
    }
    return tally;
  };
  for (const { session, passed, judged, workedMs } of tries(state, jobId)) {
    const tally = tallyOf(session);
    if (tally === null) continue;
    tally.attempts++;
    if (!judged) continue;
    tally.judged++;
    if (passed) tally.passed++;
    if (workedMs !== null) tally.tookMs.push(workedMs);
  }
  for (const [id, sums] of ledger.bySession) {
    const session = askedBy(state, id);
    const tally = jobId === null || session?.job_id === jobId ? tallyOf(session) : null;
    if (tally !== null) add(tally, sums);
  }
  return [...tallies.values()].sort(inOrder).map(lineOf);
}
