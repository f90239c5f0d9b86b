/** Decides the effect of a drop. Pure. */

import type { Lane } from '../../../src/shared/job/place.ts';
import type { FromPage } from '../../../src/shared/workspace/pageProtocol.ts';
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';

type DropTarget = { readonly card: PanelCard } | { readonly lane: Lane };

export interface Drop {
  readonly request: FromPage | null;
  /** The effect of the move, or why it has none: shown beside the card and announced. */
  readonly says: string;
}

const stays = (says: string): Drop => ({ request: null, says });

/** Only pending features can be reordered, and only failed ones retried. */
export function canMove(card: PanelCard): boolean {
  return card.jobId !== null && (card.lane === 'pending' || card.lane === 'failed');
}

/** Why no card can be dropped on another lane. */
function whyNot({ name }: PanelCard, lane: Lane): string {
  switch (lane) {
    case 'pending':
      return t('{0} stays: only a failed feature can return to Pending.', name);
    case 'in_progress':
      return t('{0} stays: features start automatically, in the order of Pending.', name);
    case 'needs_you':
      return t('{0} stays: a feature needs you only while it has a question.', name);
    case 'completed':
      return t('{0} stays: a feature completes when an attempt passes its checks.', name);
    case 'failed':
      return t('{0} stays: a feature fails when its retries are used up.', name);
  }
}

/** A pending card moves to the position of another card of its phase: `position` is that card's own. */
export function dropped(card: PanelCard, target: DropTarget): Drop {
  const lane = 'card' in target ? target.card.lane : target.lane;
  if (card.lane === 'failed' && lane === 'pending') {
    return { request: { kind: 'retryFeature', featureId: card.id }, says: t('{0} will be retried.', card.name) };
  }
  if (lane !== card.lane) return stays(whyNot(card, lane));
  if (lane !== 'pending' || !('card' in target) || target.card.id === card.id) return stays(t('{0} stays.', card.name));
  if (target.card.jobId !== card.jobId || target.card.phaseId !== card.phaseId) {
    return stays(t('{0} stays: the order is kept within a phase.', card.name));
  }
  return {
    request: { kind: 'reorderFeature', featureId: card.id, position: target.card.position },
    says: t('{0} takes the place of {1}.', card.name, target.card.name),
  };
}
