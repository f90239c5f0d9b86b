/** The real store and reducer over a log in memory, with sessions to spend money in. */

import { setImmediate } from 'node:timers/promises';
import { DEFAULT_OPTIONS } from '../../../src/core/job/defaults.ts';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import { EVENT_TYPES, reduce } from '../../../src/core/workspace/reduce.ts';
import { openStore } from '../../../src/engine/state/openStore.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { EventLog, LogPoint } from '../../../src/engine/state/storePorts.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import type { JobOptions } from '../../../src/shared/job/rows.ts';
import type { Limits } from '../../../src/shared/money.ts';
import type { ProjectDefinition } from '../../../src/shared/project/projects.ts';
import type { Role } from '../../../src/shared/session.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';

export interface MemoryLog extends EventLog {
  readonly events: Event[];
  /** When set, appends reject with it. */
  broken: Error | null;
}

export function memoryLog(): MemoryLog {
  const end = (): LogPoint | null => {
    const last = log.events.at(-1);
    return last === undefined ? null : { epoch: last.epoch, seq: last.seq, mac: String(last.seq) };
  };
  const log: MemoryLog = {
    events: [],
    broken: null,
    size: async () => 0,
    read: async (after) => ({
      origin: log.events.length === 0 ? 'empty' : 'own',
      events: log.events.filter(({ seq }) => seq > (after?.seq ?? 0)),
      end: end(),
      continues: true,
      problems: [],
    }),
    lastClaimed: async () => 0,
    claim: async () => (log.events.at(-1)?.epoch ?? 0) + 1,
    append: async (events) => {
      await setImmediate();
      if (log.broken !== null) throw log.broken;
      log.events.push(...events);
      return end() ?? { epoch: 0, seq: 0, mac: '' };
    },
    close: async () => undefined,
  };
  return log;
}

export function openMemoryStore(clock: Clock, log: EventLog = memoryLog()): Promise<Store> {
  const owner = { pid: 1, version: 'test' };
  return openStore({ log, projection: null, reduce, clock, owner, eventTypes: EVENT_TYPES });
}

const NO_LIMITS: Limits = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: null };

export const JOB_OPTIONS: JobOptions = {
  gates: [],
  mergeMode: 'branch',
  provider: 'anthropic',
  scenario: null,
  models: DEFAULT_OPTIONS.models,
  setup: null,
  budgetMicroUsd: null,
  attempt: { turns: 100, tokens: 1e9, seconds: 1e6, microUsd: 1e12 },
  maxPhaseAttempts: 3,
  maxRetries: 3,
  batch: 1,
  reviewEachFeature: false,
  allowedCommands: [],
};

export async function setLimits(store: Store, limits: Partial<Limits>): Promise<void> {
  await store.commit({ type: 'limits_set', limits: { ...NO_LIMITS, ...limits }, by: 'steward' });
}

export async function addProject(store: Store, id: string, parts: Partial<ProjectDefinition> = {}): Promise<void> {
  const definition = { ...plainDefinition(), ...parts };
  await store.commit({ type: 'project_created', project: { id, model: null, workdir: null, definition } });
}

/** A job in a project, which is made when missing. */
export async function addJob(
  store: Store,
  id: string,
  options: Partial<JobOptions> = {},
  project_id = 'default',
): Promise<void> {
  if (!store.state.projects.has(project_id)) await addProject(store, project_id);
  const job = { id, project_id, title: id, brief: id, job_dir: `/jobs/${id}`, branch: `autonomous/${id}` };
  await store.commit({ type: 'brief_submitted', job: { ...job, options: { ...JOB_OPTIONS, ...options } } });
}

/** A running session of the job, or of a project's conversation; its id. */
export async function addSession(
  store: Store,
  jobId: string | null,
  role: Role = 'worker',
  project_id = 'default',
): Promise<number> {
  const [id = 0] = store.nextIds('sessions', 1);
  await store.commit({
    type: 'session_started',
    id,
    job_id: jobId,
    project_id,
    role,
    model: 'claude-sonnet-5-5',
    phase_id: null,
    notes: [],
  });
  return id;
}
