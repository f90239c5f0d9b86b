import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { PanelView } from '../../../src/shared/panelView.ts';
import { Announcer } from '../Announcer.tsx';
import { Banner } from '../Banner.tsx';
import { post } from '../bridge.ts';
import { CostPanel } from '../cost/CostPanel.tsx';
import { Empty } from '../Empty.tsx';
import { Beginning } from '../jobs/Beginning.tsx';
import { Jobs } from '../jobs/Job.tsx';
import { shownJobs } from '../jobs/jobFacts.ts';
import { t } from '../l10n.ts';
import { BoardApprovals } from '../steward/Approvals.tsx';
import { look, usePage } from '../store.ts';
import { IconButton } from '../ui/Button.tsx';
import { Section } from '../ui/Section.tsx';
import { TABS } from '../uiState.ts';
import { useNarrow } from '../useNarrow.ts';
import { Board } from './Board.tsx';
import { Details } from './Details.tsx';
import { isTyping, stepThroughCards } from './keys.ts';
import { filtered } from './lanes.ts';
import { Shortcuts } from './Shortcuts.tsx';
import { Toolbar } from './Toolbar.tsx';

const TITLES = { board: t('Board'), costs: t('Cost') } as const;

function Tabs() {
  const current = usePage((page) => page.ui.tab);
  const move = ({ key }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const other = TABS.find((tab) => tab !== current) ?? current;
    look({ tab: other });
    document.getElementById(`tab-${other}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={t('View')} onKeyDown={move}>
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

function Cards({ view }: { readonly view: PanelView }) {
  const ui = usePage((page) => page.ui);
  const { query, jobId, category, selected } = ui;
  const narrow = useNarrow();
  const cards = useMemo(() => filtered(view.cards, { query, jobId, category }), [view.cards, query, jobId, category]);
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

function Content({ view }: { readonly view: PanelView }) {
  return (
    <>
      <Jobs jobs={shownJobs(view.jobs)} />
      {view.approvals.length === 0 ? null : (
        <Section title={t('Waits for you')} count={view.approvals.length}>
          <BoardApprovals approvals={view.approvals} />
        </Section>
      )}
      {view.cards.length === 0 ? <Beginning view={view} /> : <Cards view={view} />}
    </>
  );
}

/** `/` leads to the search, `?` to the keys, from wherever nothing is typed. */
function usePageKeys(showKeys: () => void) {
  const show = useRef(showKeys);
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') show.current();
      else if (event.key === '/') document.querySelector<HTMLElement>('.toolbar .text-field')?.focus();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

/** The wide page: an editor tab. */
export function BoardPage({ view }: { readonly view: PanelView }) {
  const tab = usePage((page) => page.ui.tab);
  const keys = useRef<HTMLDialogElement>(null);
  const showKeys = () => keys.current?.showModal();
  usePageKeys(showKeys);
  const empty = view.jobs.length === 0 && view.cards.length === 0;
  return (
    <main className="page">
      <Announcer view={view} />
      <Banner banner={view.banner} mode={view.mode} />
      {empty ? (
        <Empty banner={view.banner} mode={view.mode} />
      ) : (
        <>
          <div className="page-head">
            <Tabs />
            <IconButton icon="question" label={t('Keyboard Shortcuts (?)')} onPress={showKeys} />
            <IconButton icon="add" label={t('New Brief')} onPress={() => post({ kind: 'newBrief' })} />
          </div>
          <div id="tab-panel" className="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
            {tab === 'board' ? <Content view={view} /> : <CostPanel view={view} />}
          </div>
        </>
      )}
      <Shortcuts dialog={keys} />
    </main>
  );
}
