/** Reads rows of the state. A required row that does not exist is a typed failure. */

import type { ApprovalRow } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../shared/job/rows.ts';
import type { SpendRow } from '../../shared/money.ts';
import type { MessageRow } from '../../shared/project/projects.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { TaskRow, TaskStepRow } from '../../shared/task/tasks.ts';
import type { State, TableName, Tables } from '../../shared/workspace/state.ts';
import { isFinal, JOB } from './machines.ts';

const SINGULAR: Record<TableName, string> = {
  projects: 'project',
  messages: 'message',
  jobs: 'job',
  plans: 'plan',
  phases: 'phase',
  features: 'feature',
  attempts: 'attempt',
  sessions: 'session',
  notes: 'note',
  approvals: 'approval',
  rules: 'rule',
  spends: 'call',
  tasks: 'task',
  task_steps: 'step',
  task_logs: 'log line',
  schedules: 'schedule',
};

/** Returns the row. Throws NOT_FOUND with the missing id. */
export function need<T extends TableName>(state: State, table: T, id: Tables[T]['id']): Tables[T] {
  const rows = state[table] as unknown as ReadonlyMap<string | number, Tables[T]>;
  const row = rows.get(id);
  if (row === undefined) throw failure('NOT_FOUND', `there is no ${SINGULAR[table]} ${id}`, { details: { table, id } });
  return row;
}

/** Refuses an id that exists already: a row is created once. */
export function needNew<T extends TableName>(state: State, table: T, id: Tables[T]['id']): void {
  const rows = state[table] as unknown as ReadonlyMap<string | number, Tables[T]>;
  if (!rows.has(id)) return;
  throw failure('ILLEGAL_TRANSITION', `${SINGULAR[table]} ${id} exists already`, { details: { table, id } });
}

/** The job, which must not be over. */
export function needLive(state: State, jobId: string): JobRow {
  const job = need(state, 'jobs', jobId);
  if (!isFinal(JOB, job.status)) return job;
  throw failure('ILLEGAL_TRANSITION', `job ${jobId} is ${job.status}: that is final`, { details: { id: jobId } });
}

export function jobPhases(state: State, jobId: string): PhaseRow[] {
  return [...state.phases.values()].filter((row) => row.job_id === jobId).sort((a, b) => a.number - b.number);
}

export function phaseFeatures(state: State, phaseId: number): FeatureRow[] {
  return [...state.features.values()]
    .filter((row) => row.phase_id === phaseId)
    .sort((a, b) => a.position - b.position || a.id - b.id);
}

export function jobFeatures(state: State, jobId: string): FeatureRow[] {
  const phases = jobPhases(state, jobId);
  const order = new Map(phases.map((phase, index) => [phase.id, index]));
  const place = (row: FeatureRow): number => order.get(row.phase_id ?? 0) ?? 0;
  return [...state.features.values()]
    .filter((row) => row.phase_id !== null && order.has(row.phase_id))
    .sort((a, b) => place(a) - place(b) || a.position - b.position || a.id - b.id);
}

export function featureAttempts(state: State, featureId: number): AttemptRow[] {
  return [...state.attempts.values()].filter((row) => row.feature_id === featureId).sort((a, b) => a.number - b.number);
}

/** Reviews of a phase, oldest first. */
export function phaseReviews(state: State, phaseId: number): AttemptRow[] {
  return [...state.attempts.values()]
    .filter((row) => row.phase_id === phaseId && row.feature_id === null)
    .sort((a, b) => a.id - b.id);
}

/** Oldest first. */
export function projectJobs(state: State, projectId: string): JobRow[] {
  return [...state.jobs.values()].filter((row) => row.project_id === projectId);
}

/** All messages of a project, oldest first. */
export function projectMessages(state: State, projectId: string): MessageRow[] {
  return [...state.messages.values()].filter((row) => row.project_id === projectId).sort((a, b) => a.id - b.id);
}

export function jobApprovals(state: State, jobId: string): ApprovalRow[] {
  return [...state.approvals.values()].filter((row) => row.job_id === jobId).sort((a, b) => a.id - b.id);
}

/** Questions about the project itself, oldest first. */
export function projectApprovals(state: State, projectId: string): ApprovalRow[] {
  return [...state.approvals.values()]
    .filter((row) => row.project_id === projectId && row.job_id === null)
    .sort((a, b) => a.id - b.id);
}

/** The pending question how to take the result. */
export function mergeGate(state: State, jobId: string): ApprovalRow | undefined {
  return jobApprovals(state, jobId).find(
    (row) => row.status === 'pending' && (row.kind === 'merge' || row.kind === 'conflict'),
  );
}

/** Whether the attempt is running, or will continue. */
export const isOpenAttempt = ({ status }: Pick<AttemptRow, 'status'>): boolean =>
  status === 'running' || status === 'interrupted' || status === 'queued';

/** The open attempts of the job, oldest first: at most one in each lane. */
export function openAttempts(state: State, jobId: string): AttemptRow[] {
  const open: AttemptRow[] = [];
  for (const row of state.attempts.values()) if (row.job_id === jobId && isOpenAttempt(row)) open.push(row);
  return open;
}

/** The work tree of an attempt. A review, and an attempt of an older version, is in the clone. */
export const laneOf = ({ lane }: Pick<AttemptRow, 'lane'>): number => lane ?? 0;

/** The open attempt in a lane of the job; without a lane, the oldest one. */
export function openAttempt(state: State, jobId: string, lane?: number): AttemptRow | undefined {
  for (const row of state.attempts.values()) {
    if (row.job_id === jobId && isOpenAttempt(row) && (lane === undefined || laneOf(row) === lane)) return row;
  }
  return undefined;
}

/** A session that was started for this purpose and has not answered yet: it is resumed instead of starting a new one. */
export function openSession(
  state: State,
  of: Pick<SessionRow, 'job_id' | 'role' | 'reviews'> & { readonly phaseId: number | null },
): SessionRow | undefined {
  for (const row of state.sessions.values()) {
    if (row.status !== 'running' || row.job_id !== of.job_id || row.role !== of.role) continue;
    // An older version did not store which attempt a reviewer reviews.
    const isOf = row.reviews === of.reviews || (row.reviews === null && row.attempt_id === null);
    if (isOf && row.phase_id === of.phaseId) return row;
  }
  return undefined;
}

/** The commands that verify the feature: its own, or those of its phase. */
export const verifyCommandsOf = (feature: FeatureRow, phase: PhaseRow): readonly string[] =>
  feature.verify_commands.length > 0 ? feature.verify_commands : phase.verify_commands;

/** Steps in the order of the task. */
export function taskSteps(state: State, task: TaskRow): TaskStepRow[] {
  return task.steps.map((id) => need(state, 'task_steps', id));
}

/** Whether the task has ended. A failed task may be resumed. */
export const isOver = ({ status }: TaskRow): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

/** Tasks of a schedule, oldest first. */
export function scheduleTasks(state: State, scheduleId: number): TaskRow[] {
  return [...state.tasks.values()].filter((task) => task.schedule_id === scheduleId);
}

/** Number of calls of a session that were answered. */
export function answersOf(state: State, sessionId: number): number {
  let answers = 0;
  for (const { session_id, status } of state.spends.values())
    if (session_id === sessionId && status === 'settled') answers++;
  return answers;
}

/** Current upper bound of a call's cost: settled at its cost, reserved and unsettled at the reservation. */
export function countedMicroUsd(spend: SpendRow): number {
  switch (spend.status) {
    case 'settled':
      return spend.settled_micro_usd;
    case 'released':
      return 0;
    case 'reserved':
    case 'unsettled':
      return spend.reserved_micro_usd;
  }
}
