import type { PanelView } from '../../src/shared/panelView.ts';
import { t } from './l10n.ts';
import { mendLabel, pressMend } from './mends.ts';
import { newBrief } from './projects/newBrief.ts';
import { Button } from './ui/Button.tsx';

/** New Brief; where none can be begun, what mends that, if something does. */
export function Begin({ banner, mode }: Pick<PanelView, 'banner' | 'mode'>) {
  if (mode !== 'none' || banner === null) return <Button label={t('New Brief')} onPress={newBrief} />;
  const { mend = null } = banner;
  return mend === null ? null : <Button label={mendLabel(mend)} onPress={pressMend(mend)} />;
}
