/** Derives the reason why a job, a project or a task does not continue, from the state alone. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { ProjectRow } from '../../../shared/project/projects.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { WaitAction, Waiting, WaitsFor } from '../../../shared/waiting.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { pendingApprovals } from '../../approval/stewardship.ts';
import { isOver, taskSteps } from '../../state/rows.ts';
import { isActive } from './jobStatus.ts';

const WHO: Readonly<Record<Waiting['code'], WaitsFor>> = {
  question: 'you',
  paused: 'you',
  parked: 'you',
  limit: 'clock',
  provider: 'provider',
  queue: 'clock',
  retry: 'clock',
  time: 'clock',
};

const NOW: Readonly<Record<Waiting['code'], readonly WaitAction[]>> = {
  question: ['answer'],
  paused: ['resume'],
  parked: ['try_now'],
  limit: ['raise_limit', 'try_now'],
  provider: ['try_now'],
  queue: [],
  retry: ['try_now'],
  time: [],
};

type Why = Pick<Waiting, 'code' | 'reason'> & Partial<Pick<Waiting, 'since' | 'until' | 'approvalId'>>;

const waiting = ({ code, reason, since = null, until = null, approvalId = null }: Why): Waiting => {
  // A limit without an end is raised by a person or never.
  const who = code === 'limit' && until === null ? 'you' : WHO[code];
  return { code, reason, since, until, who, now: NOW[code], approvalId };
};

/** Each returns null for an object that runs, is at rest or has ended. */
export interface Waits {
  job(job: JobRow): Waiting | null;
  project(project: ProjectRow): Waiting | null;
  /** The conversation of the project alone, without its jobs and tasks. */
  conversation(project: ProjectRow): Waiting | null;
  task(task: TaskRow): Waiting | null;
  /** One step, while its task runs. */
  step(step: TaskStepRow): Waiting | null;
}

/** Makes at most one pass over each table, and only over requested ones: a list requests all rows. */
export function waitsIn(state: State): Waits {
  return new WaitsIn(state);
}

export const jobWaiting = (state: State, job: JobRow): Waiting | null => waitsIn(state).job(job);
export const projectWaiting = (state: State, project: ProjectRow): Waiting | null => waitsIn(state).project(project);
export const taskWaiting = (state: State, task: TaskRow): Waiting | null => waitsIn(state).task(task);

type Work = { readonly jobs: JobRow[]; readonly tasks: TaskRow[] };

class WaitsIn implements Waits {
  readonly #state: State;
  #pending: readonly ApprovalRow[] | null = null;
  #work: ReadonlyMap<string, Work> | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  job(job: JobRow): Waiting | null {
    if (job.status === 'paused') return waiting({ code: 'paused', reason: job.reason ?? '' });
    if (!isActive(job)) return null;
    const parked = this.#parked(job.project_id);
    if (parked !== null) return parked;
    if (job.status === 'awaiting_steward') {
      const open = this.#asked(({ job_id }) => job_id === job.id);
      return open ?? waiting({ code: 'question', reason: job.reason ?? '' });
    }
    if (job.wait !== null) return waiting(job.wait);
    // An older version has not logged since when.
    return job.status === 'waiting'
      ? waiting({ code: 'provider', reason: job.reason ?? '', until: job.wake_at })
      : null;
  }

  step(step: TaskStepRow): Waiting | null {
    const { status, error, started_at: since, wake_at: until, approval_id, job_id } = step;
    if (status === 'PENDING') return until === null ? null : waiting({ code: 'retry', reason: error ?? '', until });
    if (status !== 'RUNNING') return null;
    const open = approval_id === null ? null : this.#asked(({ id }) => id === approval_id);
    if (open !== null) return open;
    const job = job_id === null ? undefined : this.#state.jobs.get(job_id);
    if (job !== undefined) return this.job(job);
    if (step.wait !== null) return waiting(step.wait);
    if (until === null) return null;
    if (step.action === 'wait') return waiting({ code: 'time', reason: step.name, since, until });
    return waiting({ code: 'provider', reason: error ?? '', until });
  }

  task(task: TaskRow): Waiting | null {
    if (task.status === 'PENDING' || isOver(task)) return null;
    if (task.status === 'PAUSED') {
      const paused = waiting({ code: 'paused', reason: task.reason ?? '', since: task.paused_at });
      return this.#asked(({ task_id }) => task_id === task.id) ?? paused;
    }
    const parked = this.#parked(task.project_id);
    if (parked !== null) return parked;
    if (task.wait !== null) return waiting(task.wait);
    const steps = taskSteps(this.#state, task);
    const running = steps.filter(({ status }) => status === 'RUNNING').map((step) => this.step(step));
    if (running.includes(null)) return null;
    const again = steps.filter(({ status }) => status === 'PENDING').map((step) => this.step(step));
    return first([...running, ...again]);
  }

  /** The wait of its conversation comes first; then those of its jobs and tasks, if each job and task waits. */
  project(project: ProjectRow): Waiting | null {
    if (project.status === 'suspended') {
      return waiting({ code: 'paused', reason: project.reason ?? '', since: project.suspended_at });
    }
    return project.status === 'active' ? (this.conversation(project) ?? this.#workOf(project.id)) : null;
  }

  conversation(project: ProjectRow): Waiting | null {
    const ofConversation = ({ kind, project_id, job_id, task_id }: ApprovalRow): boolean =>
      project_id === project.id && job_id === null && task_id === null && (kind === 'limit' || kind === 'provider');
    return (
      this.#parked(project.id) ?? this.#asked(ofConversation) ?? (project.wait === null ? null : waiting(project.wait))
    );
  }

  #parked(projectId: string): Waiting | null {
    const project = this.#state.projects.get(projectId);
    if (project?.status !== 'active' || project.parked === null) return null;
    const open = this.#asked(
      ({ kind, project_id }) => project_id === projectId && (kind === 'project' || kind === 'workdir'),
    );
    return open ?? waiting({ code: 'parked', reason: project.parked });
  }

  #asked(isMeant: (row: ApprovalRow) => boolean): Waiting | null {
    this.#pending ??= pendingApprovals(this.#state);
    const row = this.#pending.find(isMeant);
    if (row === undefined) return null;
    return waiting({ code: 'question', reason: row.question, since: row.requested_at, approvalId: row.id });
  }

  /** Null if any job or task of the project runs. Work that a person paused does not count. */
  #workOf(projectId: string): Waiting | null {
    this.#work ??= workByProject(this.#state);
    const { jobs = [], tasks = [] } = this.#work.get(projectId) ?? {};
    const all = [...jobs.map((job) => this.job(job)), ...tasks.map((task) => this.task(task))];
    return all.includes(null) ? null : first(all);
  }
}

/** Open work of each project: running, or waiting for a time or an answer. */
function workByProject(state: State): ReadonlyMap<string, Work> {
  const all = new Map<string, Work>();
  const of = (projectId: string): Work => {
    const known = all.get(projectId) ?? { jobs: [], tasks: [] };
    all.set(projectId, known);
    return known;
  };
  for (const job of state.jobs.values()) if (isActive(job)) of(job.project_id).jobs.push(job);
  for (const task of state.tasks.values()) if (task.status === 'RUNNING') of(task.project_id).tasks.push(task);
  return all;
}

/** A wait that needs a person comes first, then the one with the earliest retry. */
function first(all: readonly (Waiting | null)[]): Waiting | null {
  const when = ({ who, until }: Waiting): string => (who === 'you' ? '' : (until ?? '9'));
  const waits = all.filter((one) => one !== null);
  return waits.toSorted((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : 0))[0] ?? null;
}
