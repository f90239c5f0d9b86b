/** The wait of a session's model call: the row that stores it, and its change after a retry. */
import type { SessionRow } from '../../shared/session.ts';
import type { CallWait, Wait } from '../../shared/waiting.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { isFinal, JOB } from '../state/machines.ts';
import { isOver } from '../state/rows.ts';
import { isRefusedByLimit } from './limitWords.ts';

type Holder = Extract<Change, { readonly put: { readonly wait: unknown } }>;

/** Null if the work of the session has ended. */
export function waitHolder(state: State, { job_id, step_id, task_id, project_id }: SessionRow): Holder | null {
  if (job_id !== null) {
    const put = state.jobs.get(job_id);
    return put === undefined || isFinal(JOB, put.status) ? null : { table: 'jobs', put };
  }
  if (task_id !== null) {
    const step = step_id === null ? undefined : state.task_steps.get(step_id);
    if (step?.status === 'RUNNING') return { table: 'task_steps', put: step };
    const put = state.tasks.get(task_id);
    return put === undefined || isOver(put) ? null : { table: 'tasks', put };
  }
  const put = state.projects.get(project_id);
  return put === undefined ? null : { table: 'projects', put };
}

/** The kind of wait of a job or a step, by the reason in its event. */
export const waitCodeOf = (reason: string): CallWait => (isRefusedByLimit(reason) ? 'limit' : 'provider');

/** A wait of the same kind continues: failed attempts in between do not start another one. */
export function waitSince(before: Wait | null, now: Omit<Wait, 'since'>, at: string): Wait {
  return { ...now, since: before?.code === now.code ? before.since : at };
}

/** The change of the row that stores the wait of a session. Empty if nothing changes. */
export function changedWait(state: State, session: SessionRow, change: (before: Wait | null) => Wait | null): Change[] {
  const holder = waitHolder(state, session);
  if (holder === null) return [];
  const wait = change(holder.put.wait);
  return wait === holder.put.wait ? [] : [{ ...holder, put: { ...holder.put, wait } } as Change];
}

/** The changes that end the wait of a session's work if it is of one of these kinds. */
export function endedWait(state: State, session: SessionRow, codes: readonly CallWait[]): Change[] {
  return changedWait(state, session, (before) => (before !== null && codes.includes(before.code) ? null : before));
}
