/** Tools about jobs and open questions. */

import { pendingApprovals } from '../../core/approval/stewardship.ts';
import { jobSummary } from '../../core/job/view/job.ts';
import { endReport, planText, reasonText } from '../../core/job/view/jobReport.ts';
import { briefLimits } from '../../core/money/price/unpriced.ts';
import { spentText } from '../../core/money/view/spent.ts';
import { usd } from '../../core/money/view/usd.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { jobFeatures, jobPhases, need } from '../../core/state/rows.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import { DEFAULT_PROJECT } from '../../shared/project/projects.ts';
import type { MainToolInput } from '../../shared/workspace/mainTools.ts';
import type { State } from '../../shared/workspace/state.ts';
import { filedBrief, openJobOf } from '../project/briefs.ts';
import { listed, quoted, quotedBlock } from '../session/quoted.ts';
import type { RequestInput } from '../state/api.ts';
import type { MainAgentTools } from './mainAgentTools.ts';

const SHORT_COMMIT = 9;

type JobMerge = NonNullable<JobRow['merge']>;

export function jobLine(state: State, { id, project_id }: JobRow): string {
  const { status, features, title, ...summary } = jobSummary(state, id);
  return `- ${id} in ${project_id}: ${status}, ${features.completed} of ${features.total} features, ${spentText(summary, usd)}; ${quoted(title)}`;
}

export function questionLine({ id, kind, question, job_id, project_id }: ApprovalRow): string {
  return `- question ${id} (${kind}), ${job_id === null ? `project ${project_id}` : `job ${job_id}`}: ${quoted(question)}`;
}

function partsOf(state: State, jobId: string): string[] {
  const features = jobFeatures(state, jobId);
  return jobPhases(state, jobId).flatMap((phase) => [
    `- phase ${phase.number}: ${phase.status}; ${quoted(phase.title)}`,
    ...features
      .filter((row) => row.phase_id === phase.id)
      .map(({ id, status, name, failure_reason: why }) => {
        return `  - feature ${id}: ${status}; ${quoted(name)}${why === null ? '' : `; failed: ${quoted(why)}`}`;
      }),
  ]);
}

type Worked = Pick<RequestInput<'submitBrief'>, 'provider' | 'scenario' | 'unpricedLimits'>;

/** A project that needs no key has jobs that need none. All other options are the steward's. */
function workedAs(state: State, project: string): Worked {
  const row = state.projects.get(project);
  if (row === undefined) return {};
  const unpricedLimits = briefLimits(row);
  if (unpricedLimits !== undefined) return { provider: row.provider, unpricedLimits };
  return row.provider === 'simulated' ? { provider: 'simulated', scenario: row.scenario } : {};
}

/** The location of the result, without a full stop, e.g. `merged into "main" at abcdef012`. */
function resultText({ mode, target, commit, rolledBack }: JobMerge): string {
  const at = commit === null ? '' : ` at ${commit.slice(0, SHORT_COMMIT)}`;
  if (mode === 'patch') return `the patch ${quoted(target)}`;
  if (mode === 'branch') return `on the branch ${quoted(target)}${at}`;
  return `merged into ${quoted(target)}${at}${rolledBack ? ', rolled back since' : ''}`;
}

function noJobs(project: string | undefined, open: boolean): string {
  const jobs = open ? 'open jobs' : 'jobs';
  return project === undefined ? `There are no ${jobs}.` : `Project ${project} has no ${jobs}.`;
}

export const jobCalls = {
  submit_brief: async (tools: MainAgentTools, input: MainToolInput<'submit_brief'>) => {
    const { brief, project = DEFAULT_PROJECT, at_most_usd: atMostUsd, model } = input;
    const same = openJobOf(tools.state, project, brief);
    if (same !== undefined) return `That brief is already in progress, as job ${same.id}.`;
    const { jobId } = await tools.request('submitBrief', {
      ...filedBrief({ brief, atMostUsd, model }),
      project,
      ...workedAs(tools.state, project),
    });
    return `Filed as job ${jobId} in project ${project}. The steward is asked at the plan and before the merge.`;
  },

  list_jobs: async (tools: MainAgentTools, { project, open = false }: MainToolInput<'list_jobs'>) => {
    if (project !== undefined) need(tools.state, 'projects', project);
    const jobs = [...tools.state.jobs.values()]
      .filter((job) => project === undefined || job.project_id === project)
      .filter((job) => !open || !isFinal(JOB, job.status))
      .reverse();
    return listed(
      jobs.map((job) => jobLine(tools.state, job)),
      noJobs(project, open),
    );
  },

  job_status: async (tools: MainAgentTools, { job: id }: MainToolInput<'job_status'>) => {
    const job = need(tools.state, 'jobs', id);
    const asked = pendingApprovals(tools.state).filter((row) => row.job_id === id);
    const { merge, reason } = job;
    const plan = planText(tools.state, job);
    return [
      jobLine(tools.state, job),
      ...(reason === null ? [] : [`It is ${job.status} because ${quoted(reasonText(reason))}`]),
      ...(merge === null ? [] : [`Result: ${resultText(merge)}`]),
      listed(partsOf(tools.state, id), 'There is no accepted plan yet.'),
      ...(asked.length === 0 ? [] : ['It waits for the steward:', ...asked.map(questionLine)]),
      `Outcome:\n${quotedBlock(endReport(tools.state, job).join('\n'))}`,
      ...(plan === null || job.plan_accepted ? [] : [quotedBlock(plan)]),
      `Its brief:\n${quotedBlock(job.brief)}`,
    ].join('\n');
  },

  list_questions: async (tools: MainAgentTools, { project }: MainToolInput<'list_questions'>) => {
    if (project !== undefined) need(tools.state, 'projects', project);
    const asked = pendingApprovals(tools.state).filter((row) => project === undefined || row.project_id === project);
    if (asked.length === 0) return 'Nothing waits for the steward.';
    return `${listed(asked.map(questionLine), '')}\nOnly the steward answers: on the board, or with autonomous approvals.`;
  },
};
