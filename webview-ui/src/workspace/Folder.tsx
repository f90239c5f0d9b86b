/** The folder that a window with several folders works in. */
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { Link } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { visible } from '../ui/text/format.ts';
import { pressQuickFix, quickFixLabel } from './quickFixes.ts';

/** Names the folder of a window with several folders, with a button to choose another. */
export function Folder({ view: { folder } }: { readonly view: PanelView }) {
  if (folder === undefined) return null;
  return (
    <p className="folder">
      <Icon name="folder" />
      <span className="one-line">{t('Folder: {0}', visible(folder))}</span>
      <Link label={quickFixLabel('chooseFolder')} onPress={pressQuickFix('chooseFolder')} />
    </p>
  );
}
