/** Describes a project's state in words. Pure. */

import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../../src/shared/project/projects.ts';
import type { ProjectView } from '../../../src/shared/project/projectView.ts';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import type { IconName } from '../ui/Icon.tsx';
import { usd } from '../ui/text/format.ts';
import { doingLabel, projectLabel } from '../ui/text/labels.ts';
import { heldTexts } from '../ui/text/spent.ts';

/** The project's activity, or why it is inactive. */
export function stateLabel({ status, parked, doing }: ProjectView): string {
  if (parked) return t('Parked');
  return status === 'active' ? doingLabel(doing) : projectLabel(status);
}

const DOING: Readonly<Record<ProjectView['doing'], IconName>> = {
  talking: 'loading',
  working: 'loading',
  waiting: 'clock',
  idle: 'circle-outline',
  stopped: 'circle-slash',
};

const STATUS: Readonly<Record<Exclude<ProjectView['status'], 'active'>, IconName>> = {
  suspended: 'debug-pause',
  completed: 'pass',
  archived: 'archive',
};

export function projectIcon({ name, status, parked, doing }: ProjectView): IconName {
  if (name === MAIN_PROJECT && doing !== 'talking') return 'hubot';
  if (parked) return 'warning';
  return status === 'active' ? DOING[doing] : STATUS[status];
}

/** `$0.84 of $2.00 today` */
export function spentToday({ todayUsd, dayLimitUsd }: ProjectView): string {
  return dayLimitUsd === null ? t('{0} today', usd(todayUsd)) : t('{0} of {1} today', usd(todayUsd), usd(dayLimitUsd));
}

/** Reserved and unsettled money of today, and in total. */
export const heldToday = ({ todayReservedUsd, todayUnsettledUsd }: ProjectView): string[] =>
  heldTexts({ reservedUsd: todayReservedUsd, unsettledUsd: todayUnsettledUsd });
export const heldInAll = ({ totalReservedUsd, totalUnsettledUsd }: ProjectView): string[] =>
  heldTexts({ reservedUsd: totalReservedUsd, unsettledUsd: totalUnsettledUsd });

/** Whether there are projects besides the default one, which is shown alone only if it is suspended. */
export const hasProjects = ({ projects }: Pick<PanelView, 'projects'>): boolean =>
  projects.some(({ name, status }) => name !== DEFAULT_PROJECT || status === 'suspended');
