/** Decides what a board shows of the cards: lanes, filter, groups. Pure. */

import type { Lane } from '../../../src/shared/job/place.ts';
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { executorsOf } from '../store/shown.ts';
import type { UiState } from '../store/uiState.ts';
import type { IconName } from '../ui/Icon.tsx';
import { laneLabel } from '../ui/text/labels.ts';

export interface LaneLook {
  readonly lane: Lane;
  readonly title: string;
  readonly icon: IconName;
}

export const LANES: readonly LaneLook[] = [
  { lane: 'pending', title: laneLabel('pending'), icon: 'circle-outline' },
  { lane: 'in_progress', title: laneLabel('in_progress'), icon: 'loading' },
  { lane: 'needs_you', title: laneLabel('needs_you'), icon: 'account' },
  { lane: 'completed', title: laneLabel('completed'), icon: 'pass' },
  { lane: 'failed', title: laneLabel('failed'), icon: 'error' },
];

export type LaneRow =
  | { readonly kind: 'group'; readonly key: string; readonly title: string; readonly size: number }
  | { readonly kind: 'card'; readonly key: string; readonly card: PanelCard };

function groupTitle(card: PanelCard, groupBy: UiState['groupBy']): string {
  if (groupBy === 'category') return card.category;
  return card.phaseTitle === null ? t('No phase') : t('Phase {0}: {1}', card.phaseNumber ?? '', card.phaseTitle);
}

/** The rows of one lane, in the order of work; groups in the order of their first card. */
export function laneRows(cards: readonly PanelCard[], groupBy: UiState['groupBy']): LaneRow[] {
  const row = (card: PanelCard): LaneRow => ({ kind: 'card', key: `card-${card.id}`, card });
  if (groupBy === 'none') return cards.map(row);
  const key = (card: PanelCard) =>
    groupBy === 'category' ? card.category : `${card.jobId ?? ''} ${card.phaseId ?? 'none'}`;
  return [...Map.groupBy(cards, key)].flatMap(([name, group]) => [
    {
      kind: 'group',
      key: `group-${name}`,
      title: group[0] === undefined ? name : groupTitle(group[0], groupBy),
      size: group.length,
    },
    ...group.map(row),
  ]);
}

export function categories(cards: readonly PanelCard[]): string[] {
  return [...new Set(cards.map((card) => card.category))].sort((a, b) => a.localeCompare(b));
}

/** All agents that work on some card. Empty if the built-in agent does everything. */
export function executorNames(cards: readonly PanelCard[]): string[] {
  if (cards.every(({ executors }) => executors.length === 0)) return [];
  return [...new Set(cards.flatMap(executorsOf))].sort((a, b) => a.localeCompare(b));
}
