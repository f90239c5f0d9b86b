/** The button for a new brief, or the quick fix for what prevents one. */
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { newBrief } from '../project/newBrief.ts';
import { t } from '../store/l10n.ts';
import { Button } from '../ui/Button.tsx';
import { pressQuickFix, quickFixLabel } from './quickFixes.ts';

/** The New Brief button. If no brief can be started, the quick fix instead, if there is one. */
export function Begin({ banner, mode }: Pick<PanelView, 'banner' | 'mode'>) {
  if (mode !== 'none' || banner === null) return <Button label={t('New Brief')} onPress={newBrief} />;
  const { quickFix = null } = banner;
  return quickFix === null ? null : <Button label={quickFixLabel(quickFix)} onPress={pressQuickFix(quickFix)} />;
}
