/** Groups the statuses of jobs, tasks and sessions, and compares them with the work of processes, for every surface. */

import type { JobRow, JobStatus } from '../../../shared/job/rows.ts';
import type { SessionRow } from '../../../shared/session.ts';
import type { TaskStatus } from '../../../shared/task/tasks.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';

interface Job {
  readonly status: JobStatus;
}

/** Some agent may be at it this moment. */
export const isAtWork = ({ status }: Job): boolean => status === 'planning' || status === 'running';

/** At work, or waiting for a time: the job continues without a person. */
export const goesOnByItself = (job: Job): boolean => isAtWork(job) || job.status === 'waiting';

/** Whether the job's status is running but no process works on it. */
export const standsStill = (job: Pick<JobRow, 'id' | 'status'>, { jobs }: Pick<AtWork, 'jobs'>): boolean =>
  goesOnByItself(job) && !jobs.includes(job.id);

/** Whether the task's status is running but no process runs tasks. A task with open questions is waiting for the user instead. */
export const taskStandsStill = (
  { status, questions }: { readonly status: TaskStatus; readonly questions: number },
  { works }: AtWork,
): boolean => !works && status === 'RUNNING' && questions === 0;

/** Whether the session's status is running but no process works on it. */
export const sessionStandsStill = (
  { status, job_id }: Pick<SessionRow, 'status' | 'job_id'>,
  { works, jobs }: AtWork,
): boolean => status === 'running' && !(job_id === null ? works : jobs.includes(job_id));

/** Continues without a person, or as soon as its question is answered: it can be paused. */
export const isActive = (job: Job): boolean => goesOnByItself(job) || job.status === 'awaiting_steward';

/** Paused or waiting: it can be resumed now. */
export const isHeld = ({ status }: Job): boolean => status === 'paused' || status === 'waiting';

/** Something happens in it, or can. */
export const isOpen = (job: Job): boolean => isActive(job) || job.status === 'paused';

/** Whether it is a finished run of the demo whose result is in the working tree. */
export const isBuiltDemo = ({ options, merge }: Pick<JobRow, 'options' | 'merge'>): boolean =>
  options.scenario === 'demo' && merge !== null && merge.mode === 'merge' && merge.checkedOut && !merge.rolledBack;

/** Whether the job has ended: it changes only by a person. */
export const isOver = (job: Job): boolean => !isOpen(job);
