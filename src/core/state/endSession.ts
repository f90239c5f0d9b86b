/** Ending a session as part of the event that uses its answer. */
import type { SessionEnd, SessionRow } from '../../shared/session.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { SESSION, step } from './machines.ts';
import { need } from './rows.ts';
import { rested, woken } from './workTime.ts';

export function endedSession(row: SessionRow, end: SessionEnd, at: string): Change {
  const status = step(`session ${row.id}`, SESSION, row.status, end.status);
  return {
    table: 'sessions',
    put: { ...rested(row, at), status, ended_at: at, error_message: end.error_message, turns: end.turns },
  };
}

export function endSession(state: State, end: SessionEnd | null, at: string): Change[] {
  return end === null ? [] : [endedSession(need(state, 'sessions', end.id), end, at)];
}

export function failedSession(row: SessionRow, why: string, at: string): Change {
  return endedSession(row, { id: row.id, status: 'failed', error_message: why, turns: row.turns }, at);
}

/** The row of a session that works again; a conversation that had ended is open again. */
export function resumedSession(row: SessionRow, at: string): SessionRow {
  if (row.status === 'running') return woken(row, at);
  const status = step(`session ${row.id}`, SESSION, row.status, 'resume');
  return { ...woken(row, at), status, ended_at: null, error_message: null };
}
