/** What a job's state comes to, in words. Pure. */
import { isOpen } from '../../../src/core/views/jobStatus.ts';
import type { PanelJob } from '../../../src/shared/panelView.ts';
import { localTime, usd, visible } from '../format.ts';
import { t } from '../l10n.ts';
import { jobLabel } from '../labels.ts';

/** `Not running` if the status says that the job runs and no process works on it. */
export function statusLabel({ status, still }: PanelJob): string {
  return still === true ? t('Not running') : jobLabel(status);
}

/** Those under way; where there is none, the last one, for its cost and its changes. */
export function shownJobs(jobs: readonly PanelJob[]): readonly PanelJob[] {
  const open = jobs.filter(isOpen);
  return open.length > 0 ? open : jobs.slice(0, 1);
}

/** `Daily limit, resumes 00:00`; empty where nothing holds it, or a question does, which stands elsewhere. */
export function whyNot(job: PanelJob): string {
  if (job.status === 'awaiting_steward') return '';
  const at = job.wakeAt === null ? '' : localTime(job.wakeAt);
  if (job.waitsForDay) return t('Daily limit, resumes {0}', at);
  const why = job.reason === null ? '' : visible(job.reason);
  if (at === '') return why;
  return why === '' ? t('Tries again {0}', at) : t('{0}, tries again {1}', why, at);
}

/** In flight now: it may yet come out lower. Whole micro-USD, since a difference of two amounts has a tail. */
export function reservedUsd({ openUsd, unsettledUsd }: PanelJob): number {
  return Math.max(0, Math.round((openUsd - unsettledUsd) * 1e6) / 1e6);
}

/** What is settled of a job's cost. A provider without prices has only calls and tokens, which the cost panel shows. */
export function money({ unpriced, costUsd, openUsd, budgetUsd, simulated }: PanelJob): string {
  if (unpriced === true) return t('Not priced');
  const settled = usd(Math.max(0, costUsd - openUsd));
  const spent = budgetUsd === null ? settled : t('{0} of {1}', settled, usd(budgetUsd));
  return simulated ? t('{0}, simulated', spent) : spent;
}

const SHORT_COMMIT = 7;

/** `Merged into main at fa8eaa7`; empty while the result is nowhere. */
export function whereTo({ merge }: PanelJob): string {
  if (merge === null) return '';
  const target = visible(merge.target);
  const at = merge.commit?.slice(0, SHORT_COMMIT) ?? '';
  if (merge.rolledBack) return t('Rolled back from {0}', target);
  if (merge.mode === 'patch') return t('Written to the patch {0}', target);
  return merge.mode === 'branch'
    ? t('Left on the branch {0} at {1}', target, at)
    : t('Merged into {0} at {1}', target, at);
}
