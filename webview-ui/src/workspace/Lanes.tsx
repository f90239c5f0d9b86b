/** The cards of the sidebar in their lanes. */
import { useMemo, useState } from 'react';
import type { Lane } from '../../../src/shared/job/place.ts';
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { Card } from '../job/card/Card.tsx';
import { LANES } from '../job/lanes.ts';
import { t } from '../store/l10n.ts';
import { Link } from '../ui/Button.tsx';
import { Section } from '../ui/Section.tsx';

const PAGE = 25;

const NO_CARDS: readonly PanelCard[] = [];

function Cards({ cards }: { readonly cards: readonly PanelCard[] }) {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <ul className="stack">
        {cards.slice(0, shown).map((card) => (
          <li key={card.id}>
            <Card card={card} />
          </li>
        ))}
      </ul>
      {cards.length > shown ? (
        <p className="more">
          <Link
            label={t('Show {0} more of {1}', Math.min(PAGE, cards.length - shown), cards.length)}
            onPress={() => setShown(shown + PAGE)}
          />
        </p>
      ) : null}
    </>
  );
}

/** The cards at work come before everything that is collapsed. */
const AT_WORK: Lane = 'in_progress';

interface LanesProps {
  readonly cards: readonly PanelCard[];
  readonly atWork: boolean;
}

export function Lanes({ cards, atWork }: LanesProps) {
  const lanes = useMemo(() => Map.groupBy(cards, (card) => card.lane), [cards]);
  return LANES.filter(({ lane }) => (lane === AT_WORK) === atWork).map(({ lane, title }) => {
    const own = lanes.get(lane) ?? NO_CARDS;
    return own.length === 0 ? null : (
      <Section key={lane} fold={`lane ${lane}`} title={title} count={own.length} open={atWork}>
        <Cards cards={own} />
      </Section>
    );
  });
}
