import { useMemo, useState } from 'react';
import { isOpen } from '../../../src/core/views/jobStatus.ts';
import type { PanelCard, PanelView } from '../../../src/shared/panelView.ts';
import { Announcer } from '../Announcer.tsx';
import { Picker } from '../agents/Picker.tsx';
import { Banner } from '../Banner.tsx';
import { Begin } from '../Begin.tsx';
import { Card } from '../board/Card.tsx';
import { Details } from '../board/Details.tsx';
import { LANES } from '../board/lanes.ts';
import { post } from '../bridge.ts';
import { Empty } from '../Empty.tsx';
import { Beginning } from '../jobs/Beginning.tsx';
import { Jobs } from '../jobs/Job.tsx';
import { shownJobs } from '../jobs/jobFacts.ts';
import { t } from '../l10n.ts';
import { Projects } from '../projects/Projects.tsx';
import { hasProjects } from '../projects/projectFacts.ts';
import { Switcher, useSwitched } from '../projects/Switcher.tsx';
import { Approvals, inList } from '../steward/Approvals.tsx';
import { usePage } from '../store.ts';
import { isArchived } from '../talk/talkers.ts';
import { Tasks } from '../tasks/Tasks.tsx';
import { hasTasks, liveTasks } from '../tasks/taskFacts.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Section } from '../ui/Section.tsx';

const PAGE = 25;
/** In the wide page: here is no room for its steps. */
const openTask = (taskId: string) => post({ kind: 'openTask', taskId });
const NO_CARDS: readonly PanelCard[] = [];

function Cards({ cards }: { readonly cards: readonly PanelCard[] }) {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <ul className="stack">
        {cards.slice(0, shown).map((card) => (
          <li key={card.id}>
            <Card card={card} answered="elsewhere" />
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

function Lists({ cards }: { readonly cards: readonly PanelCard[] }) {
  const lanes = useMemo(() => Map.groupBy(cards, (card) => card.lane), [cards]);
  return LANES.map(({ lane, title }) => {
    const own = lanes.get(lane) ?? NO_CARDS;
    return own.length === 0 ? null : (
      <Section key={lane} title={title} count={own.length} open={lane !== 'completed'}>
        <Cards cards={own} />
      </Section>
    );
  });
}

function Content({ view: whole }: { readonly view: PanelView }) {
  const view = useSwitched(whole);
  const jobs = shownJobs(view.jobs);
  const over = !jobs.some(isOpen);
  return (
    <>
      {view.approvals.length === 0 ? null : (
        <Section title={t('Waits for you')} count={inList(view.approvals).length}>
          <Approvals approvals={view.approvals} />
        </Section>
      )}
      {hasProjects(view) ? (
        <Section title={t('Projects')} count={view.projects.filter((project) => !isArchived(project)).length}>
          <Projects projects={view.projects} mainAgent={view.mainAgent} />
        </Section>
      ) : null}
      {hasProjects(view) ? (
        <div className="switcher">
          <Switcher view={view} />
        </div>
      ) : null}
      {jobs.length === 0 ? null : (
        <Section title={over ? t('Last job') : t('Under way')} count={jobs.length}>
          <Jobs jobs={jobs} />
        </Section>
      )}
      {hasTasks(view) ? (
        <Section title={t('Tasks')} count={liveTasks(view.tasks).length}>
          <Tasks tasks={view.tasks} schedules={view.schedules} onOpen={openTask} />
        </Section>
      ) : null}
      <div className="row padded">
        <Begin banner={view.banner} mode={view.mode} />
        <Button secondary label={t('Open Board')} onPress={() => post({ kind: 'openBoard' })} />
      </div>
      {view.cards.length > 0 ? (
        <Lists cards={view.cards} />
      ) : jobs.length > 0 ? (
        <Beginning view={view} />
      ) : (
        <p className="muted padded">{t('No jobs yet')}</p>
      )}
    </>
  );
}

/** Narrow: what waits for you, the jobs under way, then the board as stacked lists. */
export function Sidebar({ view }: { readonly view: PanelView }) {
  const selected = usePage((page) => page.ui.selected);
  const card = selected === null ? undefined : view.cards.find(({ id }) => id === selected);
  const empty = view.jobs.length === 0 && view.cards.length === 0 && !hasProjects(view) && !hasTasks(view);
  return (
    <main className="sidebar">
      <Announcer view={view} />
      <Picker view={view} />
      {card !== undefined ? (
        <Details key={card.id} card={card} replaces />
      ) : (
        <>
          <Banner banner={view.banner} mode={view.mode} />
          {empty ? <Empty banner={view.banner} mode={view.mode} /> : <Content view={view} />}
        </>
      )}
    </main>
  );
}
