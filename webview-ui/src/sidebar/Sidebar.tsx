import { useMemo, useState } from 'react';
import type { PanelCard, PanelView } from '../../../src/shared/panelView.ts';
import { Banner } from '../Banner.tsx';
import { Card } from '../board/Card.tsx';
import { Details } from '../board/Details.tsx';
import { LANES } from '../board/lanes.ts';
import { post } from '../bridge.ts';
import { Empty } from '../Empty.tsx';
import { isOpen, Jobs } from '../jobs/Job.tsx';
import { Approvals } from '../steward/Approvals.tsx';
import { usePage } from '../store.ts';
import { Button } from '../ui/Button.tsx';
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
        <button type="button" className="link more" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(PAGE, cards.length - shown)} more of {cards.length}
        </button>
      ) : null}
    </>
  );
}

/** Narrow: what waits for you, the jobs under way, then the board as stacked lists. */
export function Sidebar({ view }: { readonly view: PanelView }) {
  const selected = usePage((page) => page.ui.selected);
  const lanes = useMemo(() => Map.groupBy(view.cards, (card) => card.lane), [view.cards]);
  const card = selected === null ? undefined : view.cards.find(({ id }) => id === selected);
  if (card !== undefined) {
    return (
      <main className="sidebar">
        <Details key={card.id} card={card} replaces />
      </main>
    );
  }
  const open = view.jobs.filter(isOpen);
  const empty = view.jobs.length === 0 && view.cards.length === 0;
  return (
    <main className="sidebar">
      <Banner banner={view.banner} mode={view.mode} />
      {empty ? (
        <Empty />
      ) : (
        <>
          {view.approvals.length === 0 ? null : (
            <Section title="Waits for you" count={view.approvals.length}>
              <Approvals approvals={view.approvals} />
            </Section>
          )}
          {open.length === 0 ? null : (
            <Section title="Jobs" count={open.length}>
              <Jobs jobs={open} />
            </Section>
          )}
          <div className="row padded">
            <Button label="New Brief" onPress={() => post({ kind: 'newBrief' })} />
            <Button secondary label="Open Board" onPress={() => post({ kind: 'openBoard' })} />
          </div>
          {LANES.map(({ lane, title }) => {
            const cards = lanes.get(lane) ?? NO_CARDS;
            return cards.length === 0 ? null : (
              <Section key={lane} title={title} count={cards.length} open={lane !== 'completed'}>
                <Cards cards={cards} />
              </Section>
            );
          })}
        </>
      )}
    </main>
  );
}
