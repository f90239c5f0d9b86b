/** Raises a limit after an approval: to the value in the question, or to twice the old one; never lowers it. */
import { limitAskedAbout } from '../../../core/approval/about.ts';
import { PROJECT_LIMITS } from '../../../core/money/limitWords.ts';
import { definitionOf } from '../../../core/project/reduceProjects.ts';
import { jobApprovals, need } from '../../../core/state/rows.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { Limits } from '../../../shared/money.ts';
import type { ProjectLimits, ProjectRow } from '../../../shared/project/projects.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { JobContext } from '../context.ts';

export async function raiseLimit(context: JobContext, approval: ApprovalRow): Promise<void> {
  // First, so that a kill in between asks again instead of raising twice.
  await context.store.commit({ type: 'approval_voided', id: approval.id, reason: 'the limit is raised' });
  await context.store.commit(limitRaised(context.store.state, approval));
  for (const { id } of settledBy(context.store.state, approval))
    await context.store.commit({ type: 'approval_voided', id, reason: 'the limit was raised' });
}

/** Questions of other features about the budget of an attempt that is now as high as they ask. */
function settledBy(state: State, { job_id, subject }: ApprovalRow): readonly ApprovalRow[] {
  if (job_id === null || limitAskedAbout(subject).limit !== 'attempt') return [];
  const { microUsd } = need(state, 'jobs', job_id).options.attempt;
  return jobApprovals(state, job_id).filter((row) => {
    if (row.status !== 'pending' || row.kind !== 'limit') return false;
    const { limit, raiseTo } = limitAskedAbout(row.subject);
    return limit === 'attempt' && raiseTo !== null && raiseTo <= microUsd;
  });
}

/** The event that an approved question about a limit leads to: a job's, or one of a project's conversation. */
export function limitRaised(state: State, { job_id, project_id, subject }: ApprovalRow): EventDraft {
  const { limit, raiseTo } = limitAskedAbout(subject);
  const up = (most: number | null): number | null => (most === null ? null : Math.max(most, raiseTo ?? 2 * most));
  const ofAll = ALL[limit];
  if (ofAll !== undefined) return allRaised(state.meta.limits, ofAll, up);
  const ofProject = PROJECT_LIMITS[limit];
  if (ofProject !== undefined) return projectRaised(need(state, 'projects', project_id), ofProject, up);
  if (job_id === null) throw failure('NOT_FOUND', `a project has no ${limit} limit`);
  return jobRaised(need(state, 'jobs', job_id), limit, raiseTo, up);
}

type Up = (most: number | null) => number | null;

const ALL: Readonly<Partial<Record<string, keyof Limits>>> = {
  total: 'totalMicroUsd',
  project: 'projectMicroUsd',
  day: 'dayMicroUsd',
  call: 'callMicroUsd',
};

const by = 'steward';

function allRaised(limits: Limits, name: keyof Limits, up: Up): EventDraft {
  return { type: 'limits_set', by, limits: { ...limits, [name]: up(limits[name]) } };
}

function projectRaised(project: ProjectRow, name: keyof ProjectLimits, up: Up): EventDraft {
  const { limits } = project;
  const definition = { ...definitionOf(project), limits: { ...limits, [name]: up(limits[name]) } };
  return { type: 'project_defined', project_id: project.id, definition, by };
}

function jobRaised(job: JobRow, limit: string, raiseTo: number | null, up: Up): EventDraft {
  if (limit === 'attempt') {
    const { microUsd } = job.options.attempt;
    const attemptMicroUsd = Math.max(microUsd, raiseTo ?? 2 * microUsd);
    return { type: 'job_options_changed', job_id: job.id, attemptMicroUsd, by };
  }
  if (limit !== 'calls' && limit !== 'tokens') {
    return { type: 'job_options_changed', job_id: job.id, budgetMicroUsd: up(job.options.budgetMicroUsd), by };
  }
  const old = job.options.unpricedLimits ?? { calls: 1, tokens: 1 };
  const unpricedLimits = { ...old, [limit]: Math.max(old[limit], raiseTo ?? 2 * old[limit]) };
  return { type: 'job_options_changed', job_id: job.id, unpricedLimits, by };
}
