/** Where the open attempt at a feature is: its lane, its number in the merge queue, or why it was returned. */
import type { CardPlace } from '../../../../src/shared/workspace/panel.ts';
import { t } from '../../store/l10n.ts';
import { Icon } from '../../ui/Icon.tsx';
import { visible } from '../../ui/text/format.ts';

export function PlaceLine({ place }: { readonly place: CardPlace | undefined }) {
  if (place === undefined) return null;
  const what = whatHappens(place);
  const text = [t('Lane {0}', place.lane), ...(what === null ? [] : [what])].join(' · ');
  return (
    <p className="card-place">
      <Icon name={place.queue !== null ? 'git-merge' : place.returned !== null ? 'reply' : 'layers'} />
      <span>{text}</span>
    </p>
  );
}

function whatHappens({ queue, returned }: CardPlace): string | null {
  if (queue !== null) return t('Number {0} in the merge queue', queue);
  if (returned === null) return null;
  if (returned.cause === 'verify_failed') return t('Returned: fails after the merge');
  return returned.path === null ? t('Returned: conflict') : t('Returned: conflict in {0}', visible(returned.path));
}
