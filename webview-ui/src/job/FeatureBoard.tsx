/** The board of the features that the toolbar leaves, and the details of one. */
import { useMemo } from 'react';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { chosenIn, filtered } from '../store/shown.ts';
import { usePage } from '../store/store.ts';
import { stepThroughCards } from '../ui/keys.ts';
import { useNarrow } from '../ui/use/useNarrow.ts';
import { Board } from './Board.tsx';
import { Details } from './card/Details.tsx';
import { Toolbar } from './Toolbar.tsx';

export function FeatureBoard({ view }: { readonly view: PanelView }) {
  const ui = usePage((page) => page.ui);
  const { query, category, executor, selected } = ui;
  const jobId = chosenIn(view, ui.jobId);
  const narrow = useNarrow();
  const cards = useMemo(
    () => filtered(view.cards, { query, jobId, category, executor }),
    [view.cards, query, jobId, category, executor],
  );
  const card = selected === null ? undefined : view.cards.find(({ id }) => id === selected);
  return (
    <>
      <Toolbar view={view} shown={cards.length} />
      <section className="board-and-details" aria-label={t('Board')} onKeyDown={stepThroughCards}>
        {cards.length === 0 ? (
          <p className="muted padded none-match">{t('No feature matches.')}</p>
        ) : (
          <Board cards={cards} groupBy={ui.groupBy} selected={selected} />
        )}
        {card === undefined ? null : <Details key={card.id} card={card} replaces={narrow} />}
      </section>
    </>
  );
}
