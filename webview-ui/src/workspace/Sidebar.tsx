/** The page of the sidebar. */
import { useMemo, useState } from 'react';
import { isOpen } from '../../../src/core/job/view/jobStatus.ts';
import type { Lane, PanelCard, PanelView } from '../../../src/shared/workspace/panel.ts';
import { Picker } from '../agent/Picker.tsx';
import { Approvals, inList } from '../approval/Approvals.tsx';
import { Beginning } from '../job/Beginning.tsx';
import { Card } from '../job/card/Card.tsx';
import { Details } from '../job/card/Details.tsx';
import { Jobs } from '../job/Job.tsx';
import { shownJobs } from '../job/jobFacts.ts';
import { LANES } from '../job/lanes.ts';
import { Projects } from '../project/Projects.tsx';
import { hasProjects } from '../project/projectFacts.ts';
import { Switcher, useSwitched } from '../project/Switcher.tsx';
import { isArchived } from '../project/talk/talkers.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { Tasks } from '../task/Tasks.tsx';
import { hasTasks, isTicking, liveTasks } from '../task/taskFacts.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Section } from '../ui/Section.tsx';
import { Announcer } from './Announcer.tsx';
import { Banner } from './Banner.tsx';
import { Begin } from './Begin.tsx';
import { Empty } from './Empty.tsx';
import { Folder } from './Folder.tsx';

const PAGE = 25;
/** Opens the task in the wide page, because the sidebar has no room for its steps. */
const openTask = (taskId: string) => post({ kind: 'openTask', taskId });
const NO_CARDS: readonly PanelCard[] = [];
const NO_JOBS: PanelView['jobs'] = [];
const NO_SCHEDULES: PanelView['schedules'] = [];

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

function Lanes({ cards, atWork }: LanesProps) {
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

/** The running jobs and tasks, and the features at work. */
function UnderWay({ view }: { readonly view: PanelView }) {
  const jobs = view.jobs.filter(isOpen);
  const tasks = view.tasks.filter(isTicking);
  return (
    <>
      {jobs.length + tasks.length === 0 ? null : (
        <Section title={t('Active')} count={jobs.length + tasks.length}>
          <Jobs jobs={jobs} />
          {tasks.length === 0 ? null : <Tasks tasks={tasks} schedules={NO_SCHEDULES} onOpen={openTask} />}
        </Section>
      )}
      <Lanes cards={view.cards} atWork />
    </>
  );
}

/** Everything that neither needs the user nor is in progress. Each section is collapsed until the user opens it. */
function Rest({ view, whole }: { readonly view: PanelView; readonly whole: PanelView }) {
  const last = view.jobs.some(isOpen) ? NO_JOBS : shownJobs(view.jobs);
  const tasks = view.tasks.filter((task) => !isTicking(task));
  return (
    <>
      {last.length === 0 ? null : (
        <Section fold="last job" title={t('Last job')} count={last.length} open={false}>
          <Jobs jobs={last} />
        </Section>
      )}
      <Lanes cards={view.cards} atWork={false} />
      {hasTasks({ tasks, schedules: view.schedules }) ? (
        <Section fold="tasks" title={t('Tasks')} count={liveTasks(tasks).length} open={false}>
          <Tasks tasks={tasks} schedules={view.schedules} onOpen={openTask} />
        </Section>
      ) : null}
      {hasProjects(whole) ? (
        <Section
          fold="projects"
          title={t('Projects')}
          count={whole.projects.filter((project) => !isArchived(project)).length}
          open={false}
        >
          <Projects projects={whole.projects} mainAgent={whole.mainAgent} />
        </Section>
      ) : null}
    </>
  );
}

function Content({ view: whole }: { readonly view: PanelView }) {
  const view = useSwitched(whole);
  return (
    <>
      {view.approvals.length === 0 ? null : (
        <Section title={t('Needs your input')} count={inList(view.approvals).length}>
          <Approvals approvals={view.approvals} openUpTo={3} />
        </Section>
      )}
      <UnderWay view={view} />
      {view.cards.length > 0 ? null : view.jobs.length > 0 ? (
        <Beginning view={view} />
      ) : (
        <p className="muted padded">{t('No jobs yet')}</p>
      )}
      <div className="row padded">
        <Begin banner={view.banner} mode={view.mode} />
        <Button secondary label={t('Open Board')} onPress={() => post({ kind: 'openBoard' })} />
      </div>
      {hasProjects(whole) ? (
        <div className="switcher">
          <Switcher view={whole} />
        </div>
      ) : null}
      <Rest view={view} whole={whole} />
    </>
  );
}

/** The narrow page: first the questions to the user, then the work in progress, then everything else, collapsed. */
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
          <Folder view={view} />
          {empty ? <Empty banner={view.banner} mode={view.mode} /> : <Content view={view} />}
        </>
      )}
    </main>
  );
}
