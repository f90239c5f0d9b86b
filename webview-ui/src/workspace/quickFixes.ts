/** The quick fix for the blocker in the host's banner. */
import type { QuickFix } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';

const LABELS: Readonly<Record<QuickFix, string>> = {
  openFolder: t('Open Folder'),
  manageTrust: t('Manage Trust'),
  chooseFolder: t('Choose Folder'),
  reloadBoard: t('Reload Board'),
  takeOver: t('Take Over'),
  restoreState: t('Restore Lost State…'),
};

export function quickFixLabel(quickFix: QuickFix): string {
  return LABELS[quickFix];
}

export function pressQuickFix(quickFix: QuickFix): () => void {
  return () => post({ kind: 'quickFix', quickFix });
}
