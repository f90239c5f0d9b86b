/** Selects the part of the workspace's state that one project's thread needs: its own rows, the notes for all projects, and the workspace's facts. */

import type { MessageRow } from '../../shared/project/projects.ts';
import type { Event } from '../../shared/workspace/events.ts';
import { type Change, emptyState, type State } from '../../shared/workspace/state.ts';
import { isFinal, JOB } from '../state/machines.ts';

/** Messages that were dealt with; those that were not are all there. */
const RECENT_MESSAGES = 100;

/** Tables whose rows are left out for an ended job, because no loop reads them. The job itself, its phases, features and questions are included. */
const ONLY_LIVE = ['plans', 'attempts', 'spends'] as const;

type Row = Exclude<Extract<Change, { readonly put: unknown }>, { readonly table: 'meta' }>;

/** The project that a row belongs to. Null for a row of no project, such as a note for all. */
export function projectOf(state: State, { table, put }: Row): string | null {
  const ofJob = (jobId: string | null): string | null =>
    jobId === null ? null : (state.jobs.get(jobId)?.project_id ?? null);
  switch (table) {
    case 'projects':
      return put.id;
    case 'notes':
      return put.feature_id === null ? null : ofJob(state.features.get(put.feature_id)?.job_id ?? null);
    case 'plans':
    case 'phases':
    case 'features':
    case 'attempts':
      return ofJob(put.job_id);
    case 'jobs':
    case 'messages':
    case 'sessions':
    case 'approvals':
    case 'spends':
    case 'tasks':
    case 'schedules':
    case 'rules':
      return put.project_id;
    case 'task_steps':
    case 'task_logs':
      return state.tasks.get(put.task_id)?.project_id ?? null;
  }
}

const isForAll = ({ table, put }: Row): boolean => table === 'notes' && put.feature_id === null;

/** The owner runs tasks: a thread receives only what a step needs. */
const OWNERS = new Set<keyof State>(['tasks', 'task_steps', 'task_logs', 'schedules']);

const belongs = (state: State, projectId: string, row: Row): boolean =>
  !OWNERS.has(row.table) && (isForAll(row) || projectOf(state, row) === projectId);

/** Whether the row is final and the thread does not read it. */
function isPast(state: State, { table, put }: Row): boolean {
  if (!ONLY_LIVE.some((one) => one === table) || !('job_id' in put) || put.job_id === null) return false;
  const job = state.jobs.get(put.job_id);
  return job === undefined || isFinal(JOB, job.status);
}

/** A copy: its maps are the caller's, its rows are shared. */
export function projectState(state: State, projectId: string): State {
  const own = emptyState();
  own.meta = state.meta;
  const take = <T extends Row['table']>(table: T): void => {
    const rows = own[table] as Map<string | number, unknown>;
    for (const put of state[table].values()) {
      const row = { table, put } as unknown as Row;
      if (belongs(state, projectId, row) && !isPast(state, row)) rows.set(put.id, put);
    }
  };
  for (const table of Object.keys(own) as (keyof State)[]) if (table !== 'meta') take(table);
  forgetOldMessages(own);
  for (const { put } of originsOf(state, own.messages.values())) own.messages.set(put.id, put);
  return own;
}

/** The originals of relayed messages that are unread: the reader is shown their sender. */
function originsOf(state: State, messages: Iterable<MessageRow>) {
  return [...messages].flatMap(({ direction, relayed_from, read_at }) => {
    const put = relayed_from === null || read_at !== null ? undefined : state.messages.get(relayed_from);
    return direction === 'out' || put === undefined ? [] : [{ table: 'messages', put } as const];
  });
}

/**
 * Removes rows that a running thread no longer needs: those that a newly loaded thread would not receive. A job in hand keeps its rows until its loop
 * ends.
 */
export function forgetPast(own: State, isInHand: (jobId: string) => boolean): void {
  for (const table of ONLY_LIVE) {
    for (const put of [...own[table].values()]) {
      if (isPast(own, { table, put } as Row) && !isInHand(put.job_id ?? '')) own[table].delete(put.id as never);
    }
  }
  forgetOldMessages(own);
}

function forgetOldMessages(own: State): void {
  const origins = new Set(Array.from(own.messages.values(), (row) => (row.read_at === null ? row.relayed_from : null)));
  const done = [...own.messages.values()].filter(
    (row) => (row.direction === 'out' || row.read_at !== null) && !origins.has(row.id),
  );
  for (const { id } of done.sort((a, b) => b.id - a.id).slice(RECENT_MESSAGES)) own.messages.delete(id);
}

/**
 * The part of an event's changes that the project's thread receives. Null if the event does not concern the project. `state` includes the changes
 * already. Rows that only count events are not sent to any thread.
 */
export function projectChanges(
  state: State,
  projectId: string,
  event: Event,
  changes: readonly Change[],
): readonly Change[] | null {
  const own = changes.flatMap((change): readonly Change[] => {
    if (change.table === 'meta' || !('put' in change) || belongs(state, projectId, change)) return [change];
    // A feature that returns to the backlog leaves the thread of the project that had it.
    const isLeft = change.table === 'features' && change.put.job_id === null;
    return isLeft ? [{ table: 'features', drop: change.put.id }] : [];
  });
  if (!own.some(({ table }) => table !== 'meta') && !FACTS.has(event.type)) return null;
  return event.type === 'message_sent' ? [...originsOf(state, messagesIn(own)), ...own] : own;
}

const messagesIn = (changes: readonly Change[]): MessageRow[] =>
  changes.flatMap((change) => (change.table === 'messages' && 'put' in change ? [change.put] : []));

/** Events that change facts of the whole workspace. */
const FACTS: ReadonlySet<Event['type']> = new Set(['limits_set', 'approval_decided', 'job_selected']);
