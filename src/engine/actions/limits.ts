/** The steward raised a limit: twice what it was, or twice what is spent when that is more. */
import { countedMicroUsd, need } from '../../core/rows.ts';
import { unpricedUse } from '../../core/unpriced.ts';
import type { ApprovalRow, SpendRow } from '../../shared/domain.ts';
import type { JobContext } from '../context.ts';

export async function raiseLimit(context: JobContext, approval: ApprovalRow): Promise<void> {
  const { state } = context.store;
  const job = need(state, 'jobs', context.jobId);
  const [, name = 'job'] = approval.subject.split(':');
  const spent = (of: (row: SpendRow) => boolean): number =>
    [...state.spends.values()].reduce((sum, row) => sum + (of(row) ? countedMicroUsd(row) : 0), 0);
  const { limits } = state.meta;
  const twice = (limit: number | null, used: number): number | null =>
    limit === null ? null : 2 * Math.max(limit, used);
  const by = 'steward';
  // First, so that a kill in between asks again instead of raising twice.
  await context.store.commit({ type: 'approval_voided', id: approval.id, reason: 'the limit is raised' });
  if (name === 'total') {
    await context.store.commit({
      type: 'limits_set',
      by,
      limits: {
        ...limits,
        totalMicroUsd: twice(
          limits.totalMicroUsd,
          spent(() => true),
        ),
      },
    });
  } else if (name === 'project') {
    const used = spent((row) => row.project_id === job.project_id);
    await context.store.commit({
      type: 'limits_set',
      by,
      limits: { ...limits, projectMicroUsd: twice(limits.projectMicroUsd, used) },
    });
  } else if (name === 'call') {
    await context.store.commit({
      type: 'limits_set',
      by,
      limits: { ...limits, callMicroUsd: twice(limits.callMicroUsd, 0) },
    });
  } else if (name === 'calls' || name === 'tokens') {
    const old = job.options.unpricedLimits ?? { calls: 1, tokens: 1 };
    const used = unpricedUse(state, job.id, job.options.provider)[name];
    const unpricedLimits = { ...old, [name]: 2 * Math.max(old[name], used) };
    await context.store.commit({ type: 'job_options_changed', job_id: job.id, unpricedLimits, by });
  } else {
    const budgetMicroUsd = twice(
      job.options.budgetMicroUsd,
      spent((row) => row.job_id === job.id),
    );
    await context.store.commit({ type: 'job_options_changed', job_id: job.id, budgetMicroUsd, by });
  }
}
