/** The state that the page itself keeps: shown parts and drafts, never data of the host. */
import { MAIN_PROJECT } from '../../../src/shared/project/projects.ts';
import { type Drafts, readDrafts } from './drafts.ts';

export const TABS = ['board', 'tasks', 'costs', 'conversations'] as const;
/** How the steps of a task are laid out. */
export const STEP_VIEWS = ['graph', 'list'] as const;
export const GROUPINGS = ['none', 'phase', 'category'] as const;

export interface UiState {
  readonly tab: (typeof TABS)[number];
  readonly groupBy: (typeof GROUPINGS)[number];
  readonly query: string;
  /** Project whose jobs and cards are shown. Empty for all projects. */
  readonly projectId: string;
  /** Empty for all jobs. */
  readonly jobId: string;
  /** Empty for all categories. */
  readonly category: string;
  /** Empty for all agents. */
  readonly executor: string;
  /** The card whose details are shown. */
  readonly selected: number | null;
  /** The job whose plan replaces the board. */
  readonly plan: string | null;
  /** The project whose conversation is shown. */
  readonly talk: string;
  /** How many of its newest messages. */
  readonly messages: number;
  /** The task whose steps are shown; null for the list of all tasks. */
  readonly task: string | null;
  readonly step: number | null;
  readonly steps: (typeof STEP_VIEWS)[number];
  readonly drafts: Drafts;
  /** The sections of the sidebar that were opened or closed by hand, by their keys: true if open. */
  readonly folds: Readonly<Record<string, boolean>>;
}

/** Messages that each request for earlier ones adds. */
export const MESSAGES = 100;
const MOST_FOLDS = 50;

export const FRESH: UiState = {
  tab: 'board',
  groupBy: 'none',
  query: '',
  projectId: '',
  jobId: '',
  category: '',
  executor: '',
  selected: null,
  plan: null,
  talk: MAIN_PROJECT,
  messages: MESSAGES,
  task: null,
  step: null,
  steps: 'graph',
  drafts: {},
  folds: {},
};

/** Shows the cards of every job. */
export const UNFILTERED = { query: '', jobId: '', category: '', executor: '' } as const satisfies Partial<UiState>;

const id = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null);
const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '');

function readFolds(value: unknown): UiState['folds'] {
  if (value === null || typeof value !== 'object') return FRESH.folds;
  const folds = Object.entries(value).slice(0, MOST_FOLDS);
  return Object.fromEntries(folds.filter((fold): fold is [string, boolean] => typeof fold[1] === 'boolean'));
}

/** Reads a saved state of any shape; what does not fit is as if fresh. */
export function readUiState(value: unknown): UiState {
  if (value === null || typeof value !== 'object') return FRESH;
  const saved = value as Record<keyof UiState, unknown>;
  return {
    tab: TABS.find((tab) => tab === saved.tab) ?? FRESH.tab,
    groupBy: GROUPINGS.find((grouping) => grouping === saved.groupBy) ?? FRESH.groupBy,
    query: text(saved.query),
    projectId: text(saved.projectId),
    jobId: text(saved.jobId),
    category: text(saved.category),
    executor: text(saved.executor),
    selected: id(saved.selected),
    plan: text(saved.plan) || null,
    talk: text(saved.talk) || FRESH.talk,
    messages: FRESH.messages,
    task: text(saved.task) || null,
    step: id(saved.step),
    steps: STEP_VIEWS.find((one) => one === saved.steps) ?? FRESH.steps,
    drafts: readDrafts(saved.drafts),
    folds: readFolds(saved.folds),
  };
}
