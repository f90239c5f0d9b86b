/** Shown before the first brief: write one, or try the demo. */
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Begin } from './Begin.tsx';

/** Before the first brief. */
export function Empty({ banner, mode }: Pick<PanelView, 'banner' | 'mode'>) {
  return (
    <div className="empty">
      <Icon name="project" />
      <h2>{t('No jobs yet')}</h2>
      <p>
        {t(
          'Write a brief. Autonomous plans it, works on it in a separate clone, and asks you before it merges anything.',
        )}
      </p>
      <div className="empty-acts">
        <Begin banner={banner} mode={mode} />
        <Button secondary label={t('Try the Demo')} onPress={() => post({ kind: 'runDemo' })} />
      </div>
      <p className="muted">{t('The demo needs no key and costs nothing.')}</p>
      {mode === 'none' && banner !== null ? null : (
        <p className="muted">
          {t('For work over several weeks:')}{' '}
          <Link label={t('New Project…')} onPress={() => post({ kind: 'newProject' })} />
        </p>
      )}
    </div>
  );
}
