/** The message at the top that states why nothing runs here, with the button that fixes it. */
import type { PanelBanner, PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { Link } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { visible } from '../ui/text/format.ts';
import { pressQuickFix, quickFixLabel } from './quickFixes.ts';

/** The host's banner takes precedence over the page's own. */
export function Banner({ banner, mode }: Pick<PanelView, 'banner' | 'mode'>) {
  const viewer: PanelBanner = {
    severity: 'info',
    text: t('Another window or terminal runs the jobs. You can watch and answer here.'),
  };
  const shown = banner ?? (mode === 'viewer' ? viewer : null);
  if (shown === null) return null;
  const { severity, text, quickFix = null } = shown;
  return (
    <p className={`banner ${severity}`} role="status">
      <Icon name={severity} />
      <span>
        {visible(text)}
        {quickFix === null ? null : ' '}
        {quickFix === null ? null : <Link label={quickFixLabel(quickFix)} onPress={pressQuickFix(quickFix)} />}
      </span>
    </p>
  );
}
