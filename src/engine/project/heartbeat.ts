/**
 * Sends a project's periodic self-check: a message with the project's own text to itself, never a second one while one is unread.
 */

import type { Clock } from '../../shared/clock.ts';
import type { ProjectRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { Alarms } from '../state/alarms.ts';
import type { Store } from '../state/store.ts';
import { newMessage } from './talk/messages.ts';

const MINUTE_MS = 60_000;

export interface HeartbeatOptions {
  readonly store: Store;
  readonly clock: Clock;
  failed(thrown: unknown): void;
}

const beats = (state: State, projectId: string) =>
  [...state.messages.values()].filter((row) => row.project_id === projectId && row.sender === 'heartbeat');

/** Counts the time since the last heartbeat, including time without an owner. Returns a function that stops it. */
export function followHeartbeats({ store, clock, failed }: HeartbeatOptions): () => void {
  const { state } = store;

  async function send(project: ProjectRow, prompt: string): Promise<void> {
    const sent = { project_id: project.id, direction: 'in', sender: 'heartbeat', text: prompt } as const;
    await store.commit(newMessage(store, sent));
  }

  const alarms = new Alarms(clock, (id) => {
    const project = state.projects.get(id);
    if (project === undefined || !set(project, project.heartbeat?.minutes ?? 0)) return;
    const unread = beats(state, id).some((row) => row.read_at === null);
    if (!unread && project.heartbeat !== null) send(project, project.heartbeat.prompt).catch(failed);
  });

  /** Whether it has a heartbeat at all. */
  function set(project: ProjectRow, minutes: number): boolean {
    const runs = project.status === 'active' && project.parked === null && project.heartbeat !== null;
    const inMs = Math.max(0, minutes) * MINUTE_MS;
    // Uses the wall clock too: a time that a machine slept through has passed when it wakes.
    if (runs) alarms.set(project.id, { inMs, at: clock.now() + inMs });
    else alarms.clear(project.id);
    return runs;
  }

  function begin(project: ProjectRow): void {
    const minutes = project.heartbeat?.minutes ?? 0;
    const last = beats(state, project.id).at(-1)?.at;
    const since = last === undefined ? 0 : (clock.now() - Date.parse(last)) / MINUTE_MS;
    set(project, minutes - Math.max(0, since));
  }

  for (const project of state.projects.values()) begin(project);
  const before = new Map([...state.projects.values()].map((project) => [project.id, rhythm(project)]));
  const unsubscribe = store.subscribe((_event, changes) => {
    for (const change of changes) {
      if (change.table !== 'projects' || !('put' in change)) continue;
      const now = rhythm(change.put);
      if (before.get(change.put.id) === now) continue;
      before.set(change.put.id, now);
      begin(change.put);
    }
  });
  return () => {
    unsubscribe();
    alarms.close();
  };
}

/** A change of this value restarts the interval. */
function rhythm({ status, parked, heartbeat }: ProjectRow): string {
  return `${status} ${parked === null} ${heartbeat?.minutes ?? 0}`;
}
