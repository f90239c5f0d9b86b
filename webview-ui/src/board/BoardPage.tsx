import { type KeyboardEvent, useMemo } from 'react';
import type { PanelView } from '../../../src/shared/panelView.ts';
import { Banner } from '../Banner.tsx';
import { post } from '../bridge.ts';
import { CostPanel } from '../cost/CostPanel.tsx';
import { Empty } from '../Empty.tsx';
import { isOpen, Jobs } from '../jobs/Job.tsx';
import { Approvals } from '../steward/Approvals.tsx';
import { look, usePage } from '../store.ts';
import { IconButton } from '../ui/Button.tsx';
import { Section } from '../ui/Section.tsx';
import { TABS } from '../uiState.ts';
import { Board } from './Board.tsx';
import { Details } from './Details.tsx';
import { filtered } from './lanes.ts';
import { Toolbar } from './Toolbar.tsx';

const TITLES = { board: 'Board', costs: 'Cost' } as const;

function Tabs() {
  const current = usePage((page) => page.ui.tab);
  const move = ({ key }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const other = TABS.find((tab) => tab !== current) ?? current;
    look({ tab: other });
    document.getElementById(`tab-${other}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="View" onKeyDown={move}>
      {TABS.map((tab) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === current}
          aria-controls="tab-panel"
          tabIndex={tab === current ? 0 : -1}
          onClick={() => look({ tab })}
        >
          {TITLES[tab]}
        </button>
      ))}
    </div>
  );
}

function Content({ view }: { readonly view: PanelView }) {
  const ui = usePage((page) => page.ui);
  const { query, jobId, category, selected } = ui;
  const cards = useMemo(() => filtered(view.cards, { query, jobId, category }), [view.cards, query, jobId, category]);
  const card = selected === null ? undefined : view.cards.find(({ id }) => id === selected);
  return (
    <>
      <Toolbar view={view} shown={cards.length} />
      <Jobs jobs={view.jobs.filter(isOpen)} />
      {view.approvals.length === 0 ? null : (
        <Section title="Waits for you" count={view.approvals.length}>
          <Approvals approvals={view.approvals} />
        </Section>
      )}
      <div className="board-and-details">
        <Board cards={cards} groupBy={ui.groupBy} />
        {card === undefined ? null : <Details key={card.id} card={card} />}
      </div>
    </>
  );
}

/** The wide page: an editor tab. */
export function BoardPage({ view }: { readonly view: PanelView }) {
  const tab = usePage((page) => page.ui.tab);
  if (view.jobs.length === 0 && view.cards.length === 0) {
    return (
      <main className="page">
        <Banner banner={view.banner} mode={view.mode} />
        <Empty />
      </main>
    );
  }
  return (
    <main className="page">
      <Banner banner={view.banner} mode={view.mode} />
      <div className="page-head">
        <Tabs />
        <IconButton icon="add" label="New Brief" onPress={() => post({ kind: 'newBrief' })} />
      </div>
      <div id="tab-panel" className="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'board' ? <Content view={view} /> : <CostPanel view={view} />}
      </div>
    </main>
  );
}
