/** Words the label of the approve button. */
import type { PanelApproval } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { choiceLabel } from '../ui/text/labels.ts';

/** The label of the approve button, with the picked choice if there are several. Unsticking a worker needs text. */
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
      return picked === 'nobody' ? t('Forward to No Project') : t('Pass On');
    default:
      break;
  }
  const [only] = choices;
  return only !== undefined && choices.length === 1 ? choiceLabel(kind, only) : t('Approve');
}

/** Whether each choice is a button, so that there is no separate rejection. */
export const isEitherOr = ({ kind, choices }: Pick<PanelApproval, 'kind' | 'choices'>): boolean =>
  kind === 'definition' && choices.length === 2;
