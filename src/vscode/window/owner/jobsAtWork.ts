/** Whether a job continues without a person when its workspace is opened. Lighter than `jobsToResume`: part of the window's start. */
import { goesOnByItself } from '../../../core/job/view/jobStatus.ts';
import type { State } from '../../../shared/workspace/state.ts';

export function hasJobAtWork({ jobs, approvals }: State): boolean {
  const asked = new Set(
    [...approvals.values()].flatMap(({ status, job_id }) => (status === 'pending' ? [job_id] : [])),
  );
  return [...jobs.values()].some(
    // Its question was answered while no process worked on it.
    (job) => goesOnByItself(job) || (job.status === 'awaiting_steward' && !asked.has(job.id)),
  );
}
