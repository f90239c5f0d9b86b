/** Handles the request that ends a wait: the cause of the wait of a job, a project or a task is retried at once. */

import { pendingApprovals } from '../../../core/approval/stewardship.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { isOver, jobApprovals, need, projectJobs, taskSteps } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { TaskRow } from '../../../shared/task/tasks.ts';
import type { Store } from '../../state/store.ts';
import { type EngineRequests, type Input, openJob, type RequestPorts } from './ports.ts';

type By = Input<'tryNow'>['by'];

/** Whether a question only asks to be tried again. Its answer is a person's: no program and no agent takes it back. */
const mayVoid = (by: By): boolean => by === 'steward';

type Ports = Pick<RequestPorts, 'store' | 'work'>;

export function tryNowRequest(ports: Ports): Pick<EngineRequests, 'tryNow'> {
  return {
    tryNow: async ({ of, id, by }) => {
      if (of === 'job') await tryJob(ports, id, by);
      else if (of === 'project') await tryProject(ports, id, by);
      else await tryTask(ports, id, by);
      return null;
    },
  };
}

async function tryJob(ports: Ports, id: string, by: By): Promise<void> {
  const { store } = ports;
  const job = openJob(ports, id);
  if (job.status === 'paused') throw notNow(`job ${id} is paused`, `Resume it: autonomous job resume ${id}`);
  for (const row of mayVoid(by) ? jobApprovals(store.state, id) : []) {
    if (row.status === 'pending' && row.kind === 'provider') {
      await store.commit({ type: 'approval_voided', id: row.id, reason: 'tried again' });
    }
  }
  await store.commit({ type: 'tried_now', of: 'job', id, by });
  ports.work(id);
}

/** Retries a project's conversation, and its waiting jobs and tasks. */
async function tryProject(ports: Ports, id: string, by: By): Promise<void> {
  const { store } = ports;
  const { status, parked } = need(store.state, 'projects', id);
  if (status !== 'active') {
    const hint = status === 'suspended' ? `Resume it: autonomous project resume ${id}` : '';
    throw notNow(`project ${id} is ${status}`, hint);
  }
  if (parked !== null) await store.commit({ type: 'project_unparked', project_id: id });
  await store.commit({ type: 'tried_now', of: 'project', id, by });
  for (const job of projectJobs(store.state, id)) {
    if (job.status !== 'paused' && !isFinal(JOB, job.status)) await tryJob(ports, job.id, by);
  }
  for (const task of [...store.state.tasks.values()]) {
    if (task.project_id === id && task.status === 'RUNNING') await tryTask(ports, task.id, by);
  }
}

async function tryTask(ports: Ports, id: string, by: By): Promise<void> {
  const { store } = ports;
  const task = need(store.state, 'tasks', id);
  if (isOver(task) || task.status === 'PENDING') throw notNow(`task ${id} is ${task.status}`, '');
  if (task.status === 'PAUSED') {
    if (!mayVoid(by) || !asksToTry(store, task)) {
      throw notNow(`task ${id} is PAUSED`, `Resume it: autonomous task resume ${id}`);
    }
    // The retry voids its question.
    await store.commit({ type: 'task_resumed', task_id: id, by });
    return;
  }
  await store.commit({ type: 'tried_now', of: 'task', id, by });
  for (const { status, job_id } of taskSteps(store.state, task)) {
    const job = status === 'RUNNING' && job_id !== null ? store.state.jobs.get(job_id) : undefined;
    if (job !== undefined && job.status !== 'paused' && !isFinal(JOB, job.status)) await tryJob(ports, job.id, by);
  }
}

const asksToTry = (store: Store, { id }: TaskRow): boolean =>
  pendingApprovals(store.state).some(
    ({ task_id, kind }) => task_id === id && (kind === 'limit' || kind === 'provider'),
  );

const notNow = (what: string, hint: string) => failure('NOT_PERMITTED', `${what}: it waits for nothing`, { hint });
