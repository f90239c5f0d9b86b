/** Whether anything claims to be under way that nobody carries out. */
import type { State } from '../../../src/shared/workspace/state.ts';
import type { Logged } from '../state/eventFiles.ts';

/** Rows that a new owner shows as it begins: what an older one had under way may not be among what runs. */
export function stuckAt(state: State, log: readonly Logged[]): string[] {
  const { epoch } = state.meta;
  const begun = new Set<number>();
  for (const event of log) {
    if (event.epoch !== epoch) continue;
    if (event.type === 'attempt_started' || event.type === 'attempt_resumed') begun.add(event.id);
  }
  const attempts = [...state.attempts.values()].filter(({ id, status }) => status === 'running' && !begun.has(id));
  const spends = [...state.spends.values()].filter((row) => row.status === 'reserved' && row.epoch < epoch);
  return [...attempts.map(({ id }) => `attempt ${id} is running`), ...spends.map(({ id }) => `call ${id} is reserved`)];
}

/** Sessions of jobs and steps of tasks that were begun and never ended, when all is done: between two owners they go on in the same row. */
export function leftOpen(log: readonly Logged[]): string[] {
  const sessions = new Map<number, string>();
  const steps = new Set<number>();
  for (const event of log) {
    // Those of a worker end with their owner, or go on and end with their attempt.
    if (event.type === 'owner_started') for (const [id, role] of sessions) if (role === 'worker') sessions.delete(id);
    if (event.type === 'session_started' && event.job_id !== null) sessions.set(event.id, event.role);
    if ('session' in event && typeof event.session === 'object') sessions.delete(event.session?.id ?? 0);
    if (event.type !== 'task_stepped') continue;
    for (const { step_id } of event.started) steps.add(step_id);
    for (const { step_id } of event.ended) steps.delete(step_id);
  }
  return [
    ...[...sessions].map(([id, role]) => `session ${id} of a ${role} is under way`),
    ...[...steps].map((id) => `step ${id} is under way`),
  ];
}

interface Boards {
  readonly board: { readonly features: readonly { readonly name: string; readonly status: string }[] };
  readonly jobs: { readonly jobs: readonly { readonly status: string }[] };
  readonly tasks: { readonly tasks: readonly { readonly name: string; readonly status: string }[] };
  readonly approvals: { readonly approvals: readonly unknown[] };
}

/** What is not as it must be when all is done, as the terminal tells it. */
export function unfinished({ board, jobs, tasks, approvals }: Boards): string[] {
  return [
    ...board.features.filter(({ status }) => status !== 'completed').map(({ name, status }) => `${name} is ${status}`),
    ...jobs.jobs.filter(({ status }) => status !== 'completed').map(({ status }) => `the job is ${status}`),
    ...tasks.tasks.filter(({ status }) => status !== 'COMPLETED').map(({ name, status }) => `${name} is ${status}`),
    ...(approvals.approvals.length > 0 ? [`${approvals.approvals.length} questions wait`] : []),
  ];
}
