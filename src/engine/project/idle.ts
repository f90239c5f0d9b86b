/** Suspends projects that have had nothing to do for long. */

import { pendingApprovals } from '../../core/approval/stewardship.ts';
import { unfinishedConversations } from '../../core/project/conversations.ts';
import { isAwaiting } from '../../core/project/projectAfter.ts';
import { projectOf } from '../../core/project/projectState.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { projectJobs } from '../../core/state/rows.ts';
import type { Clock } from '../../shared/clock.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { Alarms } from '../state/alarms.ts';
import type { Store } from '../state/store.ts';

const MINUTE_MS = 60_000;

export interface IdleOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** For projects that say nothing of it; 0: never. */
  readonly minutes: number;
  failed(thrown: unknown): void;
}

/** Something of it is under way, waits for a person, or will come by itself. */
function isOccupied(state: State, projectId: string): boolean {
  const of = (row: { readonly project_id: string }): boolean => row.project_id === projectId;
  return (
    state.projects.get(projectId)?.heartbeat !== null ||
    isAwaiting(state.projects.get(projectId)?.parked ?? null) ||
    projectJobs(state, projectId).some((job) => !isFinal(JOB, job.status)) ||
    // A step may wait for hours: that is what its task is about.
    [...state.tasks.values()].some((task) => of(task) && task.status === 'RUNNING') ||
    [...state.schedules.values()].some((schedule) => of(schedule) && schedule.enabled) ||
    pendingApprovals(state).some(of) ||
    // Also one that waits for the provider, or for the next day's money, in the middle of an answer.
    unfinishedConversations(state).has(projectId) ||
    [...state.spends.values()].some((row) => of(row) && row.status === 'reserved')
  );
}

/** Counts from the start of the owner, and anew with everything that happens in a project. Returns how to stop. */
export function suspendIdle({ store, clock, minutes, failed }: IdleOptions): () => void {
  const { state } = store;
  const alarms = new Alarms(clock, (id) => {
    const project = state.projects.get(id);
    // What occupies it ends with an event, which counts anew.
    if (project?.status !== 'active' || isOccupied(state, id)) return;
    const reason = `nothing to do for ${project.idleMinutes ?? minutes} minutes`;
    store.commit({ type: 'project_suspended', project_id: id, reason, by: 'engine' }).catch(failed);
  });
  const touch = (id: string): void => {
    const project = state.projects.get(id);
    const wait = project?.idleMinutes ?? minutes;
    if (id === DEFAULT_PROJECT || id === MAIN_PROJECT || project?.status !== 'active' || wait === 0) alarms.clear(id);
    else alarms.set(id, { inMs: wait * MINUTE_MS });
  };
  for (const id of state.projects.keys()) touch(id);
  const unsubscribe = store.subscribe((_event, changes) => {
    const touched = changes.flatMap((change) =>
      change.table === 'meta' || !('put' in change) ? [] : [projectOf(state, change)],
    );
    // Whose schedule is gone is known no more: all count anew.
    const isGone = changes.some((change) => change.table === 'schedules' && 'drop' in change);
    for (const id of isGone ? state.projects.keys() : new Set(touched)) if (id !== null) touch(id);
  });
  return () => {
    unsubscribe();
    alarms.close();
  };
}
