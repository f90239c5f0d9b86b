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
  return returnText(returned);
}

/** e.g. `Returned: conflict in src/a.ts and 2 more` */
export function returnText({ cause, path, more }: NonNullable<CardPlace['returned']>): string {
  if (cause === 'verify_failed') return t('Returned: fails after the merge');
  if (path === null) return t('Returned: conflict');
  const name = visible(path);
  return more === 0 ? t('Returned: conflict in {0}', name) : t('Returned: conflict in {0} and {1} more', name, more);
}
