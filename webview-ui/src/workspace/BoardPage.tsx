/** The page of the editor tab: board, tasks, costs and conversations. */
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { Picker } from '../agent/Picker.tsx';
import { Approvals, inList } from '../approval/Approvals.tsx';
import { Backlog } from '../job/Backlog.tsx';
import { Beginning } from '../job/Beginning.tsx';
import { Board } from '../job/Board.tsx';
import { Details } from '../job/card/Details.tsx';
import { Jobs } from '../job/Job.tsx';
import { ofJob, shownJobs } from '../job/jobFacts.ts';
import { PlanPage } from '../job/plan/PlanPage.tsx';
import { Shortcuts } from '../job/Shortcuts.tsx';
import { Toolbar } from '../job/Toolbar.tsx';
import { newBrief } from '../project/newBrief.ts';
import { hasProjects } from '../project/projectFacts.ts';
import { Switcher, useSwitched } from '../project/Switcher.tsx';
import { Conversations } from '../project/talk/Conversations.tsx';
import { unreadOf } from '../project/talk/talkers.ts';
import { plural, t } from '../store/l10n.ts';
import { chosenIn, filtered } from '../store/shown.ts';
import { look, usePage } from '../store/store.ts';
import { TABS } from '../store/uiState.ts';
import { openTask, TaskPage } from '../task/TaskPage.tsx';
import { Tasks } from '../task/Tasks.tsx';
import { hasTasks, liveTasks } from '../task/taskFacts.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { isTyping, stepThroughCards } from '../ui/keys.ts';
import { Section } from '../ui/Section.tsx';
import { useNarrow } from '../ui/use/useNarrow.ts';
import { Announcer } from './Announcer.tsx';
import { Banner } from './Banner.tsx';
import { CostPanel } from './CostPanel.tsx';
import { Empty } from './Empty.tsx';
import { Folder } from './Folder.tsx';

const TITLES = { board: t('Board'), tasks: t('Tasks'), costs: t('Cost'), conversations: t('Conversations') } as const;

function Tabs({ unread }: { readonly unread: number }) {
  const current = usePage((page) => page.ui.tab);
  const move = ({ key }: KeyboardEvent<HTMLElement>) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const at = TABS.indexOf(current) + (key === 'ArrowRight' ? 1 : -1);
    const other = TABS.at(at % TABS.length) ?? current;
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
          {tab === 'conversations' && unread > 0 ? <Unread amount={unread} /> : null}
        </button>
      ))}
    </div>
  );
}

function Unread({ amount }: { readonly amount: number }) {
  return (
    <>
      <span className="badge" aria-hidden="true">
        {amount}
      </span>
      <span className="unseen">{plural(amount, { one: '{0} new message', other: '{0} new messages' })}</span>
    </>
  );
}

function Cards({ view }: { readonly view: PanelView }) {
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

const NO_SCHEDULES: PanelView['schedules'] = [];

function Content({ view: whole }: { readonly view: PanelView }) {
  const view = useSwitched(whole);
  const chosen = usePage(({ ui }) => ui.jobId);
  const job = useMemo(() => ofJob(view, chosen), [view, chosen]);
  const tasks = liveTasks(view.tasks);
  return (
    <>
      <Jobs jobs={shownJobs(view.jobs, chosen)} chosen={chosen} />
      {tasks.length === 0 ? null : (
        <Section title={t('Tasks')} count={tasks.length}>
          <Tasks tasks={tasks} schedules={NO_SCHEDULES} onOpen={openTask} />
        </Section>
      )}
      {view.approvals.length === 0 ? null : (
        <Section title={t('Needs your input')} count={inList(view.approvals).length}>
          <Approvals approvals={view.approvals} openUpTo={1} />
        </Section>
      )}
      <Backlog cards={view.cards} />
      {job !== null && job.cards.length === 0 ? (
        <>
          {view.cards.length > 0 ? <Toolbar view={view} shown={0} /> : null}
          <Beginning view={job} />
        </>
      ) : view.cards.length > 0 ? (
        <Cards view={view} />
      ) : view.jobs.length > 0 ? (
        <Beginning view={view} />
      ) : (
        <NoJobs />
      )}
    </>
  );
}

/** Shown for the selected project, or for all. */
function NoJobs() {
  const isOne = usePage(({ ui }) => ui.projectId !== '');
  return (
    <div className="empty">
      <Icon name="project" />
      <h2>{t('No jobs yet')}</h2>
      <p>
        {isOne
          ? t('Briefs of this project appear here, with their plans and features.')
          : t('Your briefs and those of projects appear here, with their plans and features.')}
      </p>
    </div>
  );
}

function Tab({ view }: { readonly view: PanelView }) {
  const tab = usePage((page) => page.ui.tab);
  const isPlan = usePage((page) => page.ui.plan !== null);
  switch (tab) {
    case 'board':
      return isPlan ? <PlanPage view={view} /> : <Content view={view} />;
    case 'tasks':
      return <TaskPage view={view} />;
    case 'costs':
      return <CostPanel view={view} />;
    case 'conversations':
      return <Conversations view={view} />;
  }
}

/** `/` focuses the search and `?` opens the shortcuts, unless the focus is in a text field. */
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
  const talked = tab === 'conversations' || view.mainAgent !== null || hasProjects(view);
  const empty = view.jobs.length === 0 && view.cards.length === 0 && !talked && tab !== 'tasks' && !hasTasks(view);
  return (
    <main className="page">
      <Announcer view={view} />
      <Banner banner={view.banner} mode={view.mode} />
      <Folder view={view} />
      {empty ? (
        <Empty banner={view.banner} mode={view.mode} />
      ) : (
        <>
          <div className="page-head">
            <Tabs unread={unreadOf(view)} />
            {tab === 'board' ? <Switcher view={view} /> : null}
            <IconButton icon="question" label={t('Keyboard Shortcuts (?)')} onPress={showKeys} />
            <IconButton icon="add" label={t('New Brief')} onPress={newBrief} />
          </div>
          <div id="tab-panel" className="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
            <Tab view={view} />
          </div>
        </>
      )}
      <Shortcuts dialog={keys} />
      <Picker view={view} />
    </main>
  );
}
