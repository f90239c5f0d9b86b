/** The model that routing chose for an attempt, and why. */
import type { Route } from '../../../src/shared/routing.ts';
import { t } from '../store/l10n.ts';
import { visible } from '../ui/text/format.ts';

const reasonOf = ({ mode, reason }: Route): string =>
  mode === 'on' ? visible(reason) : t('Suggested: {0}', visible(reason));

/** On a card: the model, with the reason as a tooltip and for screen readers. */
export function RouteTag({ route }: { readonly route: Route }) {
  const model = visible(route.model);
  const reason = reasonOf(route);
  return (
    <span className="tag" title={reason}>
      {route.mode === 'on' ? model : t('suggested: {0}', model)}
      <span className="unseen">{reason}</span>
    </span>
  );
}

export function RouteReason({ route }: { readonly route: Route }) {
  return <p className="muted">{reasonOf(route)}</p>;
}
