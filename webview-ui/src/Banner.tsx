import type { PanelView } from '../../src/shared/panelView.ts';
import { visible } from './format.ts';
import { t } from './l10n.ts';
import { Icon } from './ui/Icon.tsx';

/** What the host says goes before what the page knows by itself. */
export function Banner({ banner, mode }: Pick<PanelView, 'banner' | 'mode'>) {
  const viewer = {
    severity: 'info',
    text: t('Another window or terminal runs the jobs. You can watch and answer here.'),
  } as const;
  const shown = banner ?? (mode === 'viewer' ? viewer : null);
  if (shown === null) return null;
  return (
    <p className={`banner ${shown.severity}`} role="status">
      <Icon name={shown.severity} />
      <span>{visible(shown.text)}</span>
    </p>
  );
}
