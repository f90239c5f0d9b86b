/** Events of the whole workspace: a new owner, limits, imports. */

import { BUILT_IN } from '../../shared/agent/executors.ts';
import { failure } from '../../shared/errors.ts';
import { type Change, type State, TABLE_NAMES } from '../../shared/workspace/state.ts';
import { endedSession } from '../state/endSession.ts';
import { ATTEMPT, SPEND, step } from '../state/machines.ts';
import type { Reducer } from '../state/reducer.ts';
import { need, needNew } from '../state/rows.ts';
import { lastSigns, rested, timed } from '../state/workTime.ts';
import { withAdded } from './addedColumns.ts';
import { ended, occupied, type RecordRows } from './rows.ts';

/** Cleans up after the last owner: calls in flight whose answer was lost, attempts whose process ended. */
function orphans(state: State, at: string): Change[] {
  const changes: Change[] = [];
  const signs = lastSigns(state);
  for (const [id, sign] of signs) changes.push({ table: 'sessions', put: rested(need(state, 'sessions', id), sign) });
  for (const spend of state.spends.values()) {
    if (spend.status !== 'reserved') continue;
    const status = step(`call ${spend.id}`, SPEND, spend.status, 'unsettle');
    changes.push({ table: 'spends', put: { ...spend, status, reason: 'in flight when its process ended' } });
  }
  for (const session of state.sessions.values()) {
    // A worker's conversation between two features: it has no open part.
    if (session.status !== 'running' || session.role !== 'worker' || session.attempt_id !== null) continue;
    changes.push(
      endedSession(
        rested(session, signs.get(session.id) ?? at),
        { id: session.id, status: 'completed', error_message: null, turns: session.turns },
        at,
      ),
    );
  }
  for (const attempt of state.attempts.values()) {
    if (attempt.status !== 'running') continue;
    const status = step(`attempt ${attempt.id}`, ATTEMPT, attempt.status, 'interrupt');
    const interruptions = attempt.interruptions + 1;
    changes.push({
      table: 'attempts',
      put: { ...rested(attempt, signs.get(attempt.session_id) ?? at), status, interruptions },
    });
    if (attempt.feature_id === null) continue;
    const feature = need(state, 'features', attempt.feature_id);
    changes.push({ table: 'features', put: { ...feature, crash_count: feature.crash_count + 1 } });
  }
  return changes;
}

/** Fields that older versions did not write. */
const NO_CHOICE = { executors: null, candidates: [], verify_commands: [], paths: [] };
const BY_OURSELVES = { executor: BUILT_IN, reviews: null };

/** Rows of an event of an older version, which stored fewer columns and tables. */
const completed = (rows: RecordRows): RecordRows =>
  Object.fromEntries(
    TABLE_NAMES.map((table) => [table, (rows[table] ?? []).map((row) => withAdded(table, row))]),
  ) as unknown as RecordRows;

/** A change that an older version stored. */
function withEveryField(change: Change): Change {
  if (change.table === 'meta' || !('put' in change)) return change;
  return { ...change, put: withAdded(change.table, change.put) } as Change;
}

export const workspaceReducers = {
  owner_started: (state, event) => orphans(state, event.at),

  limits_set: (state, event) => [{ table: 'meta', put: { ...state.meta, limits: event.limits } }],

  job_selected: (state, event) => {
    const { id } = need(state, 'jobs', event.job_id);
    return [{ table: 'meta', put: { ...state.meta, current_job: id } }];
  },

  imported: (state, event) => {
    for (const { id } of event.features) needNew(state, 'features', id);
    for (const { id } of event.notes) needNew(state, 'notes', id);
    for (const { id } of event.sessions) needNew(state, 'sessions', id);
    return [
      ...event.features.map((row): Change => ({ table: 'features', put: { ...NO_CHOICE, ...row } })),
      ...event.notes.map((row): Change => ({ table: 'notes', put: { ...row, created_by: 'import' } })),
      ...event.sessions.map((row): Change => ({ table: 'sessions', put: timed({ ...BY_OURSELVES, ...row }) })),
    ];
  },

  record_imported: (state, event) => {
    const there = occupied(state);
    if (there !== undefined)
      throw failure('ILLEGAL_TRANSITION', `an export is imported into a workspace without anything: here are ${there}`);
    const rows = ended(completed(event.rows));
    for (const { id } of rows.projects) needNew(state, 'projects', id);
    return TABLE_NAMES.flatMap((table) => rows[table].map((put) => ({ table, put }) as Change));
  },
  state_restored: (_state, event) => {
    const unknown = event.changes.find(({ table }) => table !== 'meta' && !TABLE_NAMES.includes(table));
    if (unknown === undefined) return event.changes.map(withEveryField);
    throw failure('ILLEGAL_TRANSITION', `there is no table ${String(unknown.table)}`);
  },
} satisfies {
  state_restored: Reducer<'state_restored'>;
  record_imported: Reducer<'record_imported'>;
  owner_started: Reducer<'owner_started'>;
  limits_set: Reducer<'limits_set'>;
  job_selected: Reducer<'job_selected'>;
  imported: Reducer<'imported'>;
};
