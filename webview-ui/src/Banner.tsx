import type { PanelView } from '../../src/shared/panelView.ts';
import { visible } from './format.ts';
import { Icon } from './ui/Icon.tsx';

export function Banner({ banner, mode }: Pick<PanelView, 'banner' | 'mode'>) {
  return (
    <>
      {banner === null ? null : (
        <p className={`banner ${banner.severity}`} role="status">
          <Icon name={banner.severity} />
          <span>{visible(banner.text)}</span>
        </p>
      )}
      {mode === 'viewer' ? (
        <p className="banner info">
          <Icon name="info" />
          <span>Another window or terminal runs the jobs. You can watch and answer here.</span>
        </p>
      ) : null}
    </>
  );
}
