/** Shown until the first snapshot arrives. */
import { t } from '../store/l10n.ts';

const BONES = 6;

/** Shown until the first snapshot. The host's HTML contains the same until the script runs. */
export function Loading() {
  return (
    <main className="loading">
      <p className="unseen" role="status">
        {t('Loading…')}
      </p>
      <div className="bones" aria-hidden="true">
        {Array.from({ length: BONES }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all items are identical
          <i key={index} />
        ))}
      </div>
    </main>
  );
}
