/** Where the open attempt at a feature is: its lane, its number in the merge queue, or why it was returned. */
import type { CardPlace } from '../../../../src/shared/job/place.ts';
import { Icon } from '../../ui/Icon.tsx';
import { placeText } from './placeFacts.ts';

export function PlaceLine({ place }: { readonly place: CardPlace | undefined }) {
  if (place === undefined) return null;
  return (
    <p className="card-place">
      <Icon name={place.queue !== null ? 'git-merge' : place.returned !== null ? 'reply' : 'layers'} />
      <span>{placeText(place)}</span>
    </p>
  );
}
