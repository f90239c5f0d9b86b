/**
 * Handles the job tool of a project's conversation: reads one of its jobs in full, cancels, pauses, resumes or amends it. Runs in
 * the owner.
 */

import { pendingApprovals } from '../../core/approval/stewardship.ts';
import { isStoppedByProject, stoppedByProject } from '../../core/job/jobStops.ts';
import { jobReport, oneLine, outcomeText, planText, reasonText } from '../../core/job/view/jobReport.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { failure } from '../../shared/errors.ts';
import { BRIEF_ADDITION, type JobAction, type JobSteer, TOLD_LATER } from '../../shared/job/jobTool.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { headAndTail } from '../session/text.ts';
import type { Engine } from '../state/api.ts';
import { openJobOf } from './briefs.ts';

const MAX_TEXT = 16_000;

export interface JobToolInput {
  readonly job: string;
  readonly action: JobAction;
  readonly reason: string;
}

type JobToolContext = Pick<Engine, 'state' | 'request'>;

/** Throws NOT_FOUND for a job of another project, NOT_PERMITTED for decisions of the steward, and what the request throws. */
export async function callJobTool(
  context: JobToolContext,
  projectId: string,
  { job: id, action, reason }: JobToolInput,
): Promise<string> {
  const job = context.state.jobs.get(id);
  if (job?.project_id !== projectId)
    throw failure('NOT_FOUND', `this project has no job ${id}`, { hint: 'See job_status.' });
  return action === 'status' ? statusText(context.state, job) : steer(context, job, action, reason);
}

async function steer(context: JobToolContext, job: JobRow, action: JobSteer, reason: string): Promise<string> {
  const { id, project_id } = job;
  if (isFinal(JOB, job.status)) return `Job ${id} has ended already: ${outcomeText(context.state, job)}.`;
  const why = oneLine(reason) || 'no reason given';
  switch (action) {
    case 'cancel':
      await context.request('cancelJob', {
        jobId: id,
        reason: stoppedByProject('cancelled', project_id, why),
        by: 'agent',
      });
      return `Job ${id} is cancelled.`;
    case 'pause':
      if (job.status === 'paused') return `Job ${id} is paused already${pauseReason(job)}.`;
      await context.request('pauseJob', {
        jobId: id,
        reason: stoppedByProject('paused', project_id, why),
        by: 'agent',
      });
      return `Job ${id} is paused. Its work is kept.`;
    case 'amend':
      return amend(context, job, reason);
    case 'resume':
      await context.request('resumeJob', { jobId: needOwnPause(context.state, job).id, by: 'agent' });
      return `Job ${id} continues.`;
  }
}

/**
 * Files the job again with the addition, then cancels it. A brief is never edited, so this works as long as no plan was accepted. After
 * an interruption the same call finds the new job.
 */
async function amend(context: JobToolContext, job: JobRow, addition: string): Promise<string> {
  const { id, project_id: project, options } = job;
  if (job.plan_accepted) {
    throw failure('NOT_PERMITTED', `the plan of job ${id} is accepted: it can no longer be amended`, {
      hint: 'Cancel the job and file a new brief, or notify the steward.',
    });
  }
  if (addition.trim() === '') throw failure('INVALID_INPUT', 'say in reason what to add to the brief');
  const amends = { jobId: id, addition: addition.trim() };
  const brief = `${job.brief.trimEnd()}${BRIEF_ADDITION}${amends.addition}`;
  const known = openJobOf(context.state, project, brief);
  const { provider, scenario, unpricedLimits, models, budgetMicroUsd } = options;
  const limits = unpricedLimits === undefined ? {} : { unpricedLimits };
  const asked = { brief, project, provider, scenario, models, budgetMicroUsd, ...limits, amends, by: 'agent' } as const;
  const { jobId } = known === undefined ? await context.request('submitBrief', asked) : { jobId: known.id };
  const reason = stoppedByProject('cancelled', project, `filed again as ${jobId}, with an addition to its brief`);
  await context.request('cancelJob', { jobId: id, reason, by: 'agent' });
  return `Job ${id} is cancelled, and filed again as job ${jobId} with your addition.${TOLD_LATER}`;
}

const pauseReason = ({ reason }: JobRow): string =>
  reason === null ? '' : `: ${reasonText(reason).replace(/\.$/, '')}`;

/** A pause by the steward or the engine ends by the steward alone. */
function needOwnPause(state: State, job: JobRow): JobRow {
  if (isStoppedByProject(job, 'paused')) return job;
  const why = job.status === 'paused' ? outcomeText(state, job) : `it is ${job.status}`;
  throw failure('NOT_PERMITTED', `job ${job.id} was not paused by this project: ${why}`, {
    hint: 'Notify the steward if it should continue.',
  });
}

function statusText(state: State, job: JobRow): string {
  const asked = pendingApprovals(state).filter(({ job_id }) => job_id === job.id);
  const plan = planText(state, job);
  const lines = [
    `Job ${job.id}: ${outcomeText(state, job)}. ${oneLine(job.title)}`,
    ...jobReport(state, job),
    ...asked.map(({ kind, question }) => `- Waits for the steward (${kind}): ${oneLine(question)}`),
    ...(plan === null ? ['- There is no plan yet.'] : [plan]),
  ];
  return headAndTail(lines.join('\n'), MAX_TEXT);
}
