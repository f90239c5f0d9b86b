/** Applies the page's filters to the panel view: a project, a job, a filter of cards. Pure. */
import { BUILT_IN } from '../../../src/shared/agent/executors.ts';
import type { PanelCard, PanelView } from '../../../src/shared/workspace/panel.ts';
import type { UiState } from './uiState.ts';

/** The agents that work on the feature of a card. */
export const executorsOf = ({ executors }: PanelCard): readonly string[] =>
  executors.length === 0 ? [BUILT_IN] : executors;

/** The view with the jobs, cards and tasks of one project. Questions to the steward are always included. */
export function ofProject(view: PanelView, projectId: string): PanelView {
  if (projectId === '' || !view.projects.some(({ name }) => name === projectId)) return view;
  const jobs = view.jobs.filter((job) => job.projectId === projectId);
  const ids = new Set(jobs.map(({ id }) => id));
  const tasks = view.tasks.filter((task) => task.projectId === projectId);
  const schedules = view.schedules.filter((schedule) => schedule.projectId === projectId);
  return { ...view, jobs, tasks, schedules, cards: view.cards.filter(({ jobId }) => jobId !== null && ids.has(jobId)) };
}

/** The chosen job if the view has it, or else ''. After a change of folder, the old choice remains stored. */
export const chosenIn = ({ jobs }: Pick<PanelView, 'jobs'>, jobId: string): string =>
  jobs.some(({ id }) => id === jobId) ? jobId : '';

type Filter = Pick<UiState, 'query' | 'jobId' | 'category' | 'executor'>;

/** Every word of the query must be in the name, category, phase, agents or number of the card. */
export function filtered(
  cards: readonly PanelCard[],
  { query, jobId, category, executor }: Filter,
): readonly PanelCard[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && jobId === '' && category === '' && executor === '') return cards;
  return cards.filter((card) => {
    if (jobId !== '' && card.jobId !== jobId) return false;
    if (category !== '' && card.category !== category) return false;
    if (executor !== '' && !executorsOf(card).includes(executor)) return false;
    const { id, name, phaseTitle, executors } = card;
    const text = `#${id} ${name} ${card.category} ${phaseTitle ?? ''} ${executors.join(' ')}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
