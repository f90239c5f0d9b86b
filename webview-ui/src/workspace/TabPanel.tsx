/** What the chosen tab of the wide page shows. */
import { useMemo } from 'react';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { Approvals, inList } from '../approval/Approvals.tsx';
import { Backlog } from '../job/Backlog.tsx';
import { Beginning } from '../job/Beginning.tsx';
import { FeatureBoard } from '../job/FeatureBoard.tsx';
import { Jobs } from '../job/Job.tsx';
import { ofJob, shownJobs } from '../job/jobFacts.ts';
import { PlanPage } from '../job/plan/PlanPage.tsx';
import { Toolbar } from '../job/Toolbar.tsx';
import { useSwitched } from '../project/Switcher.tsx';
import { Conversations } from '../project/talk/Conversations.tsx';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { openTask, TaskPage } from '../task/TaskPage.tsx';
import { Tasks } from '../task/Tasks.tsx';
import { liveTasks } from '../task/taskFacts.ts';
import { Icon } from '../ui/Icon.tsx';
import { Section } from '../ui/Section.tsx';
import { CostPanel } from './CostPanel.tsx';

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
        <FeatureBoard view={view} />
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

export function Tab({ view }: { readonly view: PanelView }) {
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
