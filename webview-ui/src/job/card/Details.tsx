/** Everything that is known of one card. */
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { PanelCard, PanelDetails } from '../../../../src/shared/workspace/panel.ts';
import { QuestionLink } from '../../approval/QuestionLink.tsx';
import { post } from '../../store/bridge.ts';
import { t } from '../../store/l10n.ts';
import { look, usePage } from '../../store/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { visible } from '../../ui/text/format.ts';
import { useEscape } from '../../ui/use/useEscape.ts';
import { Attempt, Review } from './Attempts.tsx';
import { LiveState } from './Card.tsx';
import { Compare } from './Compare.tsx';
import { Facts, Notes, Reasons, Sessions, Steps } from './DetailsParts.tsx';

/** The parts that the snapshot contains only while the card is open. */
function Whole({ card, details }: { readonly card: PanelCard; readonly details: PanelDetails }) {
  const still = usePage(({ view }) => view?.jobs.find(({ id }) => id === card.jobId)?.still === true);
  return (
    <>
      <Reasons details={details} />
      <p className="prose">{visible(details.description)}</p>
      <Facts card={card} details={details} />
      <Steps steps={details.testingSteps} />
      <section>
        <h3>{t('Attempts')}</h3>
        {details.attempts.length === 0 ? <p className="muted">{t('Not tried yet.')}</p> : null}
        <ul className="plain">
          {details.attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} still={still} picked={attempt.id === details.picked} />
          ))}
        </ul>
      </section>
      {details.reviews.length === 0 ? null : (
        <section>
          <h3>{t('Reviews of the phase')}</h3>
          <ul className="plain">
            {details.reviews.toReversed().map((review) => (
              <Review key={review.id} review={review} still={still} />
            ))}
          </ul>
        </section>
      )}
      <Notes featureId={card.id} notes={details.notes} />
      <Sessions sessions={details.sessions} />
    </>
  );
}

function Acts({ card }: { readonly card: PanelCard }) {
  const canRetry = card.status === 'failed' && card.jobId !== null;
  if (card.attempts === 0 && !canRetry) return null;
  return (
    <div className="row">
      {canRetry ? (
        <Button label={t('Retry')} onPress={() => post({ kind: 'retryFeature', featureId: card.id })} />
      ) : null}
      {card.attempts === 0 ? null : (
        <Button secondary label={t('Show Diff')} onPress={() => post({ kind: 'showDiff', featureId: card.id })} />
      )}
    </div>
  );
}

/** `replaces`: the element that opened the details was removed or covered, so that the focus moves here. */
export function Details({ card, replaces = false }: { readonly card: PanelCard; readonly replaces?: boolean }) {
  const pane = useRef<HTMLElement>(null);
  const details = usePage(({ view }) => (view?.details?.featureId === card.id ? view.details : null));
  const asked = usePage(({ view }) => view?.approvals.find(({ id }) => id === card.approvalId));
  useEffect(() => {
    if (!replaces) return;
    window.scrollTo(0, 0);
    // Takes no focus from an editor beside the board: the board may become narrow while the user types there.
    if (document.hasFocus()) pane.current?.querySelector<HTMLElement>('header button')?.focus();
  }, [replaces]);
  const close = () => {
    flushSync(() => look({ selected: null }));
    document.querySelector<HTMLElement>(`[data-card="${card.id}"]`)?.focus();
  };
  useEscape(pane, close);
  return (
    <aside className={replaces ? 'details alone' : 'details'} ref={pane} aria-label={t('Feature {0}', card.id)}>
      <header>
        <h2>{visible(card.name)}</h2>
        <IconButton icon="close" label={t('Close details')} onPress={close} />
      </header>
      <LiveState card={card} />
      {asked === undefined ? null : <QuestionLink approval={asked} />}
      {asked?.kind !== 'pick' || details === null ? null : <Compare approval={asked} details={details} />}
      <Acts card={card} />
      {details === null ? (
        <p className="muted" role="status">
          {t('Loading…')}
        </p>
      ) : (
        <Whole card={card} details={details} />
      )}
    </aside>
  );
}
