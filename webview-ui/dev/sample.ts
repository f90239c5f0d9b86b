/** A whole snapshot of `amount` cards, for a plain browser and the tests. */
import type { PanelApproval, PanelCard, PanelJob, PanelView } from '../../src/shared/workspace/panel.ts';
import { withAgents } from './sampleAgents.ts';
import { sampleCards } from './sampleCards.ts';
import { sampleCosts } from './sampleCosts.ts';
import { MAIN_AGENT, ONLY_DEFAULT, PROJECTS } from './sampleProjects.ts';
import { SCHEDULES, sampleTasks, TASK_QUESTION } from './sampleTasks.ts';

const AT = '2026-11-02T09:00:00.000Z';

/**
 * The samples: `none` has no job, `planning` no cards, `plan` a plan that needs approval, `projects` several projects, `tasks` tasks of all kinds,
 * `agents` several agents at work.
 */
export type SampleKind = 'usual' | 'none' | 'planning' | 'plan' | 'unpriced' | 'long' | 'projects' | 'tasks' | 'agents';

const QUESTION: PanelApproval = {
  id: 900_001,
  kind: 'merge',
  question: 'Merge “A calculator for the terminal” into main?',
  detail: '12 files changed, 480 insertions, 31 deletions. All verify commands passed.',
  choices: ['merge', 'branch', 'patch'],
  executables: ['package.json', '.husky/pre-commit'],
  jobId: 'job-2',
  projectId: 'default',
  featureId: null,
  taskId: null,
  requestedAt: AT,
  reviewable: true,
  refusal: null,
};

const PLAN_QUESTION: PanelApproval = {
  ...QUESTION,
  id: 900_002,
  kind: 'plan',
  question: 'Start with this plan?',
  detail: '3 phases, 12 features.',
  choices: [],
  executables: [],
  jobId: 'job-1',
  reviewable: false,
};

function approvals(cards: readonly PanelCard[]): PanelApproval[] {
  const ofFeatures = cards
    .filter((card) => card.approvalId !== null)
    .slice(0, 2)
    .map(
      (card): PanelApproval => ({
        ...QUESTION,
        id: card.approvalId ?? 1,
        kind: 'stuck',
        question: `The worker is stuck on “${card.name}”. How should it continue?`,
        detail: 'The history file is on a disk that does not allow locks.',
        choices: [],
        executables: [],
        jobId: 'job-1',
        featureId: card.id,
        reviewable: false,
      }),
    );
  return [QUESTION, ...ofFeatures];
}

function job(cards: readonly PanelCard[], patch: Partial<PanelJob>): PanelJob {
  const counts = { pending: 0, in_progress: 0, completed: 0, failed: 0 };
  for (const card of cards) counts[card.status]++;
  return {
    id: 'job-1',
    projectId: 'default',
    title: 'Rewrite the configuration so that every mistake is named',
    status: 'running',
    reason: null,
    wakeAt: null,
    waiting: null,
    waitsForDay: false,
    costUsd: 1.54,
    reservedUsd: 0.3,
    unsettledUsd: 0,
    budgetUsd: 10,
    simulated: false,
    unpriced: false,
    counts,
    phases: [
      { id: 1, number: 1, title: 'Foundations', status: 'completed', attempt: 2 },
      { id: 2, number: 2, title: 'Commands', status: 'reviewing', attempt: 1 },
      { id: 3, number: 3, title: 'Polish', status: 'pending', attempt: 1 },
    ],
    branch: 'autonomous/job-1',
    merge: null,
    createdAt: AT,
    endedAt: null,
    ...patch,
  };
}

function jobs(cards: readonly PanelCard[]): PanelJob[] {
  return [
    job(cards, {}),
    job([], {
      id: 'job-2',
      title: 'A calculator for the terminal',
      status: 'awaiting_steward',
      reason: QUESTION.question,
      costUsd: 0.37,
    }),
    job([], {
      id: 'job-3',
      title: 'Translate the manual',
      status: 'waiting',
      reason: 'the day limit of $5.0000 is reached: $4.9000 spent, $0.0000 in flight, up to $0.3000 wanted',
      wakeAt: '2026-11-03T00:00:00.000Z',
      waiting: {
        code: 'limit',
        reason: 'the day limit of $5.0000 is reached: $4.9000 spent, $0.0000 in flight, up to $0.3000 wanted',
        since: AT,
        until: '2026-11-03T00:00:00.000Z',
        who: 'clock',
        now: ['raise_limit', 'try_now'],
        approvalId: null,
      },
      waitsForDay: true,
    }),
  ];
}

/** Moves the start of running cards to a short time ago, independent of the current date. */
function begunLately(card: PanelCard): PanelCard {
  return card.startedAt === null
    ? card
    : { ...card, startedAt: new Date(Date.now() - (card.id % 9) * 47_000).toISOString() };
}

function lengthened(card: PanelCard): PanelCard {
  const name = `${card.name} and_a_very_long_name_without_any_place_to_break_it_that_goes_on_and_on_and_on`;
  return { ...card, name, category: 'a-category-with-quite-a-long-name-of-its-own' };
}

const PARKED: PanelApproval = {
  ...QUESTION,
  id: 900_003,
  kind: 'definition',
  question: 'Take over what was edited in PROJECT.md of api-migration?',
  detail: '-  dayUsd: 2\n+  dayUsd: 5',
  choices: ['take_over', 'put_back'],
  executables: [],
  jobId: null,
  projectId: 'api-migration',
  reviewable: false,
};

/** Gives the last job to another project, which asks its own question. */
function withProjects(view: PanelView): PanelView {
  const jobs = view.jobs.map((one) => (one.id === 'job-3' ? { ...one, projectId: 'api-migration' } : one));
  return { ...view, jobs, approvals: [...view.approvals, PARKED], projects: PROJECTS, mainAgent: MAIN_AGENT };
}

function withTasks(view: PanelView): PanelView {
  const ask: PanelApproval = { ...QUESTION, ...TASK_QUESTION, executables: [], jobId: null, reviewable: false };
  return { ...view, approvals: [...view.approvals, ask], tasks: sampleTasks(), schedules: SCHEDULES };
}

export function sampleView(amount: number, kind: SampleKind = amount === 0 ? 'none' : 'usual'): PanelView {
  const early = kind === 'none' || kind === 'planning' || kind === 'plan';
  const usual = sampleCards(early ? 0 : amount).map(begunLately);
  const cards = kind === 'long' ? usual.map(lengthened) : usual;
  const talk = {
    projects: ONLY_DEFAULT,
    mainAgent: null,
    conversation: null,
    tasks: [],
    schedules: [],
    task: null,
    plan: null,
  } as const;
  const frame = { banner: null, mode: 'owner', cards, details: null, ...talk } as const;
  const costs = sampleCosts(cards, kind !== 'unpriced');
  if (kind === 'none') return { ...frame, approvals: [], jobs: [], costs };
  if (early) {
    const status = kind === 'plan' ? 'awaiting_steward' : 'planning';
    const begun = job([], { status, phases: [], costUsd: 0, reservedUsd: 0.06 });
    return { ...frame, approvals: kind === 'plan' ? [PLAN_QUESTION] : [], jobs: [begun], costs };
  }
  const all = jobs(cards);
  const unpriced = all.map((one) => ({
    ...one,
    unpriced: true,
    costUsd: 0,
    reservedUsd: 0,
    unsettledUsd: 0,
    budgetUsd: null,
  }));
  const whole = { ...frame, approvals: approvals(cards), jobs: kind === 'unpriced' ? unpriced : all, costs };
  if (kind === 'tasks') return withTasks(whole);
  if (kind === 'agents') return withAgents(whole);
  return kind === 'projects' ? withProjects(whole) : whole;
}
