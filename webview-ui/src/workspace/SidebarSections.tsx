/** Sections of the sidebar: what runs, and everything else, collapsed. */
import { isOpen } from '../../../src/core/job/view/jobStatus.ts';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { Jobs } from '../job/Job.tsx';
import { shownJobs } from '../job/jobFacts.ts';
import { Projects } from '../project/Projects.tsx';
import { hasProjects } from '../project/projectFacts.ts';
import { isArchived } from '../project/talk/talkers.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { Tasks } from '../task/Tasks.tsx';
import { hasTasks, isTicking, liveTasks } from '../task/taskFacts.ts';
import { Section } from '../ui/Section.tsx';
import { Lanes } from './Lanes.tsx';

/** Opens the task in the wide page, because the sidebar has no room for its steps. */
const openTask = (taskId: string) => post({ kind: 'openTask', taskId });

const NO_JOBS: PanelView['jobs'] = [];

const NO_SCHEDULES: PanelView['schedules'] = [];

/** The running jobs and tasks, and the features at work. */
export function UnderWay({ view }: { readonly view: PanelView }) {
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
export function Rest({ view, whole }: { readonly view: PanelView; readonly whole: PanelView }) {
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
