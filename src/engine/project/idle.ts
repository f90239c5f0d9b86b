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
  /** Default for projects without a setting. Never if 0. */
  readonly minutes: number;
  failed(thrown: unknown): void;
}

/** Whether the project has work in progress, an open question, or scheduled work. */
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
    // Includes a turn that waits for the provider, or for the next day's money, in the middle of an answer.
    unfinishedConversations(state).has(projectId) ||
    [...state.spends.values()].some((row) => of(row) && row.status === 'reserved')
  );
}

/** Counts from the start of the owner, and from the last event in the project. Returns a function that stops it. */
export function suspendIdle({ store, clock, minutes, failed }: IdleOptions): () => void {
  const { state } = store;
  const alarms = new Alarms(clock, (id) => {
    const project = state.projects.get(id);
    // The work that occupies a project ends with an event, which restarts the count.
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
    // The project of a removed schedule is unknown: the count of all projects restarts.
    const isGone = changes.some((change) => change.table === 'schedules' && 'drop' in change);
    for (const id of isGone ? state.projects.keys() : new Set(touched)) if (id !== null) touch(id);
  });
  return () => {
    unsubscribe();
    alarms.close();
  };
}
