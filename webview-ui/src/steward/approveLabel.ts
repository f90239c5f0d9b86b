import type { PanelApproval } from '../../../src/shared/panelView.ts';
import { t } from '../l10n.ts';
import { choiceLabel } from '../labels.ts';

/** What the button comes to: a stuck worker wants words, and where there is one way to go on it is named. */
export function approveLabel({ kind, choices }: Pick<PanelApproval, 'kind' | 'choices'>): string {
  if (kind === 'stuck') return t('Answer…');
  const [only] = choices;
  return only !== undefined && choices.length === 1 ? choiceLabel(kind, only) : t('Approve');
}
