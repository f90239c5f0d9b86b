/** What a drop means. Pure. */
import type { Lane, PanelCard } from '../../../src/shared/panelView.ts';
import type { FromPage } from '../../../src/shared/webviewProtocol.ts';
import { t } from '../l10n.ts';

export type DropTarget = { readonly card: PanelCard } | { readonly lane: Lane };

export interface Drop {
  readonly wish: FromPage | null;
  /** For a screen reader: what happens, or why nothing does. */
  readonly says: string;
}

const stays = (says: string): Drop => ({ wish: null, says });

/** Only what waits can be put in another order, and only what failed can be tried again. */
export function canMove(card: PanelCard): boolean {
  return card.jobId !== null && (card.lane === 'pending' || card.lane === 'failed');
}

/** A pending card takes the place of another of its phase: `position` is that card's own. */
export function dropped(card: PanelCard, target: DropTarget): Drop {
  const lane = 'card' in target ? target.card.lane : target.lane;
  if (card.lane === 'failed' && lane === 'pending') {
    return { wish: { kind: 'retryFeature', featureId: card.id }, says: t('{0} is to be tried again.', card.name) };
  }
  if (lane !== card.lane) return stays(t('{0} cannot be moved there.', card.name));
  if (lane !== 'pending' || !('card' in target) || target.card.id === card.id) return stays(t('{0} stays.', card.name));
  if (target.card.jobId !== card.jobId || target.card.phaseId !== card.phaseId) {
    return stays(t('{0} stays: the order is kept within a phase.', card.name));
  }
  return {
    wish: { kind: 'reorderFeature', featureId: card.id, position: target.card.position },
    says: t('{0} takes the place of {1}.', card.name, target.card.name),
  };
}
