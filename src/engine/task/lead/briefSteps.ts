/** Runs a job as a step: its input, and the result at its end. */

import { briefLimits } from '../../../core/money/price/unpriced.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import type { ParamsOf } from '../../../core/task/script/params.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { ProjectRow } from '../../../shared/project/projects.ts';
import type { Json, TaskRow } from '../../../shared/task/tasks.ts';
import type { Input } from '../../job/requests/ports.ts';
import { REQUESTS } from '../../state/api.ts';

/** Answered by the task's provider, else by its project's. */
export function briefOf(
  task: TaskRow,
  project: ProjectRow,
  { brief, gates, mergeMode, budgetUsd }: ParamsOf<'run_brief'>,
): Input<'submitBrief'> {
  const own = task.provider === null ? project : { ...project, provider: task.provider, scenario: task.scenario };
  return REQUESTS.submitBrief.parse({
    brief,
    project: task.project_id,
    provider: own.provider,
    scenario: own.scenario,
    unpricedLimits: briefLimits(own),
    ...(gates === undefined ? {} : { gates }),
    ...(mergeMode === undefined ? {} : { mergeMode }),
    ...(budgetUsd === undefined ? {} : { budgetMicroUsd: Math.round(budgetUsd * 1e6) }),
  });
}

export const isJobOver = (job: JobRow): boolean => isFinal(JOB, job.status);

export function jobResult(job: JobRow): Json {
  const { id, status, title, merge, head, branch } = job;
  return { jobId: id, status, title, branch: merge?.target ?? branch, commit: merge?.commit ?? head };
}
