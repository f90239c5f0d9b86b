/** The steward raised a limit: to what the question named, or to twice what it was; never down. */
import { need } from '../../core/rows.ts';
import type { ApprovalRow, JobRow, Limits } from '../../shared/domain.ts';
import type { EventDraft } from '../../shared/events.ts';
import type { JobContext } from '../context.ts';
import { limitAskedAbout } from '../questions.ts';

export async function raiseLimit(context: JobContext, approval: ApprovalRow): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  // First, so that a kill in between asks again instead of raising twice.
  await context.store.commit({ type: 'approval_voided', id: approval.id, reason: 'the limit is raised' });
  await context.store.commit(raised(context.store.state.meta.limits, job, approval.subject));
}

function raised(limits: Limits, job: JobRow, subject: string): EventDraft {
  const { limit: name, raiseTo } = limitAskedAbout(subject);
  const up = (limit: number | null): number | null => (limit === null ? null : Math.max(limit, raiseTo ?? 2 * limit));
  const by = 'steward';
  switch (name) {
    case 'total':
      return { type: 'limits_set', by, limits: { ...limits, totalMicroUsd: up(limits.totalMicroUsd) } };
    case 'project':
      return { type: 'limits_set', by, limits: { ...limits, projectMicroUsd: up(limits.projectMicroUsd) } };
    case 'call':
      return { type: 'limits_set', by, limits: { ...limits, callMicroUsd: up(limits.callMicroUsd) } };
    case 'calls':
    case 'tokens': {
      const old = job.options.unpricedLimits ?? { calls: 1, tokens: 1 };
      const unpricedLimits = { ...old, [name]: Math.max(old[name], raiseTo ?? 2 * old[name]) };
      return { type: 'job_options_changed', job_id: job.id, unpricedLimits, by };
    }
    default:
      return { type: 'job_options_changed', job_id: job.id, budgetMicroUsd: up(job.options.budgetMicroUsd), by };
  }
}
