/** The time that a session or an attempt worked: not the time between a crash, a pause or a wait and its resumption. */
import type { SessionRow, WorkPeriod, WorkTime } from '../../shared/session.ts';
import type { State } from '../../shared/workspace/state.ts';

/** The fields of a row that starts to work. */
export function working(at: string): WorkTime {
  return { worked_ms: 0, active_since: at, periods: [] };
}

/** A row that an older version wrote: it worked from its start to its end. */
export function timed<T extends { readonly started_at: string; readonly ended_at: string | null } & Partial<WorkTime>>(
  row: T,
): T & WorkTime {
  const { started_at, ended_at, worked_ms, active_since, periods = [] } = row;
  if (worked_ms !== undefined && active_since !== undefined) return { ...row, worked_ms, active_since, periods };
  const started = { ...row, ...working(started_at) };
  return ended_at === null ? started : rested(started, ended_at);
}

/** The row after it stopped working. A row at rest is not changed. */
export function rested<T extends WorkTime>(row: T, at: string): T {
  if (row.active_since === null) return row;
  const worked = Math.max(0, Date.parse(at) - Date.parse(row.active_since));
  return {
    ...row,
    worked_ms: row.worked_ms + worked,
    active_since: null,
    periods: withPeriod(row, row.active_since, at),
  };
}

/** A row that rested more often, as in a long outage, joins the last ones. */
const MOST_PERIODS = 100;

function withPeriod({ periods }: WorkTime, from: string, to: string): readonly WorkPeriod[] {
  const last = periods.at(-1);
  const isFull = periods.length >= MOST_PERIODS && last !== undefined;
  return isFull ? [...periods.slice(0, -1), [last[0], to]] : [...periods, [from, to]];
}

/** The row once it works again. A row that works is not changed. */
export function woken<T extends WorkTime>(row: T, at: string): T {
  return row.active_since === null ? { ...row, active_since: at } : row;
}

/** The start time of a running row without its rests. Null if it is at rest. */
export function workingSince({ worked_ms, active_since }: WorkTime): string | null {
  return active_since === null ? null : new Date(Date.parse(active_since) - worked_ms).toISOString();
}

/** The sessions that work, each with its last sign of life: the start, resumption, or last call or answer of a model. */
export function lastSigns(state: State): ReadonlyMap<number, string> {
  const signs = new Map<number, string>();
  for (const { id, status, active_since } of state.sessions.values())
    if (status === 'running' && active_since !== null) signs.set(id, active_since);
  if (signs.size === 0) return signs;
  for (const attempt of state.attempts.values())
    if (attempt.status === 'running') later(signs, attempt.session_id, attempt.active_since);
  for (const spend of state.spends.values()) {
    later(signs, spend.session_id, spend.at);
    // A correction by the steward comes long after the call.
    if (spend.status === 'settled' || spend.status === 'released') later(signs, spend.session_id, spend.settled_at);
  }
  return signs;
}

function later(signs: Map<number, string>, sessionId: number, at: string | null): void {
  const known = signs.get(sessionId);
  if (known !== undefined && at !== null && at > known) signs.set(sessionId, at);
}

/** Whether a session has no attempt whose events mark its rests: a planner's, a summarizer's. */
export function isAlone({ attempt_id, status }: Pick<SessionRow, 'attempt_id' | 'status'>): boolean {
  return status === 'running' && attempt_id === null;
}
