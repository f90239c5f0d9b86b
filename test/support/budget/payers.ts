/** Who spends in a budget proof: a job's worker within its attempt, another session of the job, a second job, a project's conversation, a task. */
import { newSteps, newTask } from '../../../src/core/task/script/newTask.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { taskSchema } from '../../../src/shared/task/tasks.ts';
import { jobOptions, PROJECT_ID, planOf } from '../state/builders.ts';
import { attemptBegun, briefSubmitted, phaseStarted, planAccepted } from '../state/fold.ts';
import { addJob, addProject, addSession } from '../state/memoryStore.ts';

export const PAYERS = ['attempt', 'review', 'job', 'conversation', 'task'] as const;
export type Payer = (typeof PAYERS)[number];

/** Micro-USD; null: none. */
export interface Ceilings {
  readonly attempt: number;
  readonly job: number | null;
  readonly task: number | null;
  readonly project_day: number | null;
  readonly project_total: number | null;
}

const OTHER_PROJECT = 'second';
const OTHER_JOB = 'job-2';
const TASK = 'task-1';

/** What a payer's calls count for, beside the day, the workspace and each call itself. */
export const COUNTS_FOR: Readonly<
  Record<Payer, { readonly project: string; readonly of: 'first' | 'second' | 'task' | null }>
> = {
  attempt: { project: PROJECT_ID, of: 'first' },
  review: { project: PROJECT_ID, of: 'first' },
  job: { project: OTHER_PROJECT, of: 'second' },
  conversation: { project: OTHER_PROJECT, of: null },
  task: { project: OTHER_PROJECT, of: 'task' },
};

/** The job, the project and the task that are paid for. */
export async function makePayers(store: Store, ceilings: Ceilings): Promise<void> {
  const attempt = { turns: 100, tokens: 1e9, seconds: 1e6, microUsd: ceilings.attempt };
  const limits = {
    dayMicroUsd: ceilings.project_day,
    totalMicroUsd: ceilings.project_total,
    tokens: null,
    toolCalls: null,
  };
  const plan = planOf({ Core: ['One'] });
  await addProject(store, PROJECT_ID);
  await addProject(store, OTHER_PROJECT, { limits });
  await store.commit(briefSubmitted({ ...jobOptions(), attempt, budgetMicroUsd: ceilings.job }));
  const job_id = 'job-1';
  const head = 'base';
  await store.commit({
    type: 'clone_made',
    job_id,
    clone_dir: '/c',
    baseline: head,
    base_branch: 'main',
    snapshot: false,
    head,
  });
  await store.commit({ type: 'setup_finished', job_id, evidence: [], head });
  await store.commit({ type: 'plan_proposed', job_id, plan_version: 1, plan, by: 'planner', session: null });
  await store.commit(planAccepted(plan));
  await store.commit(phaseStarted());
  await addJob(store, OTHER_JOB, { budgetMicroUsd: ceilings.job }, OTHER_PROJECT);
  const definition = taskSchema.parse({
    name: 'Task',
    steps: [{ name: 'one', action: 'wait', params: { minutes: 60 } }],
  });
  const made = newTask(definition, { id: TASK, project_id: OTHER_PROJECT, template: null, created_by: 'steward' });
  const task = { ...made, budget_micro_usd: ceilings.task };
  await store.commit({ type: 'task_created', task, steps: newSteps(definition.steps, [1]), schedule: null });
  await store.commit({ type: 'task_started', task_id: TASK, by: 'steward' });
}

/** A running session of each, as after a start of the owner. */
export async function beginSessions(store: Store): Promise<Readonly<Record<Payer, number>>> {
  const running = [...store.state.attempts.values()].at(0);
  const id = running?.session_id ?? 1;
  if (running === undefined) for (const draft of attemptBegun(id, 1)) await store.commit(draft);
  const [task = 0] = store.nextIds('sessions', 1);
  await store.commit({
    type: 'session_started',
    id: task,
    job_id: null,
    project_id: OTHER_PROJECT,
    task_id: TASK,
    role: 'task',
    model: 'm',
    phase_id: null,
    notes: [],
  });
  return {
    attempt: id,
    review: await addSession(store, 'job-1', 'reviewer', PROJECT_ID),
    job: await addSession(store, OTHER_JOB, 'reviewer', OTHER_PROJECT),
    conversation: await addSession(store, null, 'project', OTHER_PROJECT),
    task,
  };
}
