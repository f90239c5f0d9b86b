/** Names of agents, and whether one may be chosen. Pure. */
import { isOver } from '../../../src/core/job/view/jobStatus.ts';
import { BUILT_IN } from '../../../src/shared/agent/executors.ts';
import type { PanelAttempt, PanelCard, PanelView } from '../../../src/shared/workspace/panel.ts';
import { plural, t } from '../store/l10n.ts';
import { usd, visible } from '../ui/text/format.ts';

type Known = PanelView['agents'];

/** Returns its title if it is known, else its name. Both are untrusted text. */
export function agentTitle(known: Known, name: string): string {
  if (name === BUILT_IN) return t('Built-in agent');
  return visible(known?.find((agent) => agent.name === name)?.title ?? name);
}

/** Returns why no agent can be chosen for the card, or an empty string if one can. */
export function whyNotChosen({ status, jobId }: PanelCard, jobs: PanelView['jobs']): string {
  const job = jobs.find(({ id }) => id === jobId);
  if (job === undefined) return t('It belongs to no job, so no agent will work on it.');
  if (status === 'pending' && isOver(job)) return t('Its job has ended, so no agent will work on it.');
  switch (status) {
    case 'pending':
      return '';
    case 'in_progress':
      // At rest, so is what was being done.
      if (job.status === 'paused' || job.status === 'awaiting_steward') return '';
      return t('An agent is working on it. You can choose another one when it is pending again.');
    case 'completed':
      return t('The feature is completed, so its agent cannot be changed.');
    case 'failed':
      return t('It has failed: retry it first.');
  }
}

/** `3 files, +64 −12` */
export function changedText({ changed }: Pick<PanelAttempt, 'changed'>): string {
  if (changed === null) return '';
  const files = plural(changed.files, { one: '{0} file', other: '{0} files' });
  return `${files}, +${changed.added} −${changed.removed}`;
}

/** The cost of an attempt. Without a known price, the cost that the agent reported. */
export function costText({ costUsd, unpriced }: Pick<PanelAttempt, 'costUsd' | 'unpriced'>): string {
  if (!unpriced) return usd(costUsd);
  return costUsd === 0 ? t('not priced') : t('{0} as reported', usd(costUsd));
}
