/** Describes a job's state in words. Pure. */
import { isAtWork, isOpen } from '../../../src/core/job/view/jobStatus.ts';
import type { PanelJob, PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { localTime, usd, visible } from '../ui/text/format.ts';
import { jobLabel } from '../ui/text/labels.ts';

/** Returns `Not running` if the status is running but no process works on the job. */
export function statusLabel(job: PanelJob): string {
  return job.still === true ? t('Not running') : jobLabel(shownStatus(job));
}

/** The jobs that are not over, and the chosen one. If there is none, the last one, for its cost and its changes. */
export function shownJobs(jobs: readonly PanelJob[], chosen = ''): readonly PanelJob[] {
  const shown = jobs.filter((job) => isOpen(job) || job.id === chosen);
  return shown.length > 0 ? shown : jobs.slice(0, 1);
}

/** The view of one job; null if the view does not have the job. */
export function ofJob(view: PanelView, jobId: string): PanelView | null {
  const job = view.jobs.find(({ id }) => id === jobId);
  if (job === undefined) return null;
  return {
    ...view,
    jobs: [job],
    cards: view.cards.filter((card) => card.jobId === jobId),
    approvals: view.approvals.filter((asked) => asked.jobId === jobId),
  };
}

/** A job with a waiting call is not shown as running, whatever its status. */
export function shownStatus({ status, waiting }: PanelJob): PanelJob['status'] {
  return waiting !== null && isAtWork({ status }) ? 'waiting' : status;
}

/** `Daily limit, resumes 00:00`. Empty if the job is not held, or held by a question, which is shown elsewhere. */
export function whyNot(job: PanelJob): string {
  if (job.status === 'awaiting_steward') return '';
  const at = job.wakeAt === null ? '' : localTime(job.wakeAt);
  if (job.waitsForDay) return t('Daily limit, resumes {0}', at);
  const why = job.reason === null ? '' : visible(job.reason);
  if (at === '') return why;
  return why === '' ? t('Retries {0}', at) : t('{0}, retries {1}', why, at);
}

/** The settled cost of a job. A provider without prices has only calls and tokens, which the cost panel shows. */
export function money({ unpriced, costUsd, budgetUsd, simulated }: PanelJob): string {
  if (unpriced === true) return t('Not priced');
  const settled = usd(costUsd);
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
