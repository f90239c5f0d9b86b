/** The facts of the state that the status bar, the badge and the context keys show. */
import { openQuestions } from '../../core/approval/sameCause.ts';
import { isAtWork, standsStill } from '../../core/job/view/jobStatus.ts';
import { waitsIn } from '../../core/job/view/waiting.ts';
import { todayCosts } from '../../core/money/view/costs.ts';
import { taskSteps } from '../../core/state/rows.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { Waiting } from '../../shared/waiting.ts';
import { shownName } from '../project/projectTexts.ts';
import { unreadMessages } from '../project/unreadMessages.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { isOnHold, waitWords } from './waitWords.ts';

export interface Summary {
  readonly running: number;
  /** The name of the folder that this window works in, if the window has several. */
  readonly folder: string | null;
  /** Settled: what is in flight may yet cost less. */
  readonly todayUsd: number;
  readonly simulatedUsd: number;
  readonly waits: number;
  /** Jobs and projects that wait for something other than the user, one line each. */
  readonly onHold: readonly string[];
  readonly jobs: number;
  readonly tasks: number;
  /** Number of projects besides the default project and the main agent. */
  readonly projects: number;
  /** Number of unread messages of projects. */
  readonly unread: number;
}

/** The holds that keep all work from running. A conversation or task whose job is on hold is not listed in addition to that job. */
function onHold({ engine }: HostContext, now: number): readonly string[] {
  const { state, atWork } = engine;
  const waits = waitsIn(state);
  const line = (name: string, waiting: Waiting | null): string[] =>
    isOnHold(waiting) ? [`${plainWords(name)}: ${waitWords(waiting, now)}`] : [];
  return [
    ...[...state.jobs.values()]
      .filter((job) => !standsStill(job, atWork))
      .flatMap((job) => line(job.title, waits.job(job))),
    ...[...state.projects.values()]
      .filter(({ wait, parked }) => parked !== null || (wait !== null && atWork.works))
      .flatMap((project) => line(shownName(project.id), waits.project(project))),
    ...[...state.tasks.values()]
      .filter(() => atWork.works)
      .filter((task) => taskSteps(state, task).every(({ job_id }) => job_id === null))
      .flatMap((task) => line(task.name, waits.task(task))),
  ];
}

export function summary(context: HostContext, now: number): Summary {
  const { engine, today } = context;
  const { state } = engine;
  const waits = waitsIn(state);
  const { costUsd, simulatedUsd } = todayCosts(state, today());
  const runs = (job: JobRow): boolean => isAtWork(job) && waits.job(job) === null && !standsStill(job, engine.atWork);
  return {
    folder: engine.folder,
    running: [...state.jobs.values()].filter(runs).length,
    todayUsd: costUsd,
    simulatedUsd,
    waits: openQuestions(state).length,
    onHold: onHold(context, now),
    jobs: state.jobs.size,
    tasks: state.tasks.size,
    projects: [...state.projects.keys()].filter((id) => id !== DEFAULT_PROJECT && id !== MAIN_PROJECT).length,
    unread: unreadMessages(state).length,
  };
}
