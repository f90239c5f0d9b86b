import type { PanelApproval } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { choiceLabel } from '../ui/text/labels.ts';

/** What the button comes to, with what is picked where there are several ways to go on; a stuck worker wants words. */
export function approveLabel(
  { kind, choices }: Pick<PanelApproval, 'kind' | 'choices'>,
  picked?: string | null,
): string {
  switch (kind) {
    case 'stuck':
      return t('Answer…');
    case 'provider':
      return t('Try Again');
    case 'workdir':
      return t('Trust…');
    case 'relay':
      return picked === 'nobody' ? t('Pass On to Nobody') : t('Pass On');
    default:
      break;
  }
  const [only] = choices;
  return only !== undefined && choices.length === 1 ? choiceLabel(kind, only) : t('Approve');
}

/** Where each way to go on is a button: there is nothing to reject beside them. */
export const isEitherOr = ({ kind, choices }: Pick<PanelApproval, 'kind' | 'choices'>): boolean =>
  kind === 'definition' && choices.length === 2;
