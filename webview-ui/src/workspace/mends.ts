/** What mends that nothing can be begun here, as the host says it beside its banner. */
import type { Mend } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';

const LABELS: Readonly<Record<Mend, string>> = {
  openFolder: t('Open Folder'),
  manageTrust: t('Manage Trust'),
  chooseFolder: t('Choose Folder'),
  reloadBoard: t('Reload Board'),
  takeOver: t('Take Over'),
  restoreState: t('Restore Lost State…'),
};

export function mendLabel(mend: Mend): string {
  return LABELS[mend];
}

export function pressMend(mend: Mend): () => void {
  return () => post({ kind: 'mend', mend });
}
