/** Where the open attempt at a feature is, in words. Pure. */
import type { CardPlace } from '../../../../src/shared/job/place.ts';
import { t } from '../../store/l10n.ts';
import { visible } from '../../ui/text/format.ts';

/** e.g. `Lane 2 · Returned: conflict in src/a.ts` */
export function placeText(place: CardPlace): string {
  const what = whatHappens(place);
  return [t('Lane {0}', place.lane), ...(what === null ? [] : [what])].join(' · ');
}

function whatHappens({ queue, returned }: CardPlace): string | null {
  if (queue !== null) return t('Number {0} in the merge queue', queue);
  if (returned === null) return null;
  if (returned.cause === 'verify_failed') return t('Returned: fails after the merge');
  return returned.path === null ? t('Returned: conflict') : t('Returned: conflict in {0}', visible(returned.path));
}
