import type { PanelView } from '../../src/shared/panelView.ts';
import { Begin } from './Begin.tsx';
import { post } from './bridge.ts';
import { t } from './l10n.ts';
import { Button, Link } from './ui/Button.tsx';
import { Icon } from './ui/Icon.tsx';

/** Before the first brief. */
export function Empty({ banner, mode }: Pick<PanelView, 'banner' | 'mode'>) {
  return (
    <div className="empty">
      <Icon name="project" />
      <h2>{t('No jobs yet')}</h2>
      <p>
        {t(
          'Write a brief, and Autonomous plans it, works on it in a clone of its own, and asks you before anything is merged.',
        )}
      </p>
      <div className="empty-acts">
        <Begin banner={banner} mode={mode} />
        <Button secondary label={t('Try the Demo')} onPress={() => post({ kind: 'runDemo' })} />
      </div>
      <p className="muted">{t('The demo needs no key and costs nothing.')}</p>
      {mode === 'none' && banner !== null ? null : (
        <p className="muted">
          {t('For work that goes on for weeks:')}{' '}
          <Link label={t('New Project…')} onPress={() => post({ kind: 'newProject' })} />
        </p>
      )}
    </div>
  );
}
