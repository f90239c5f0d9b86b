/** A whole snapshot of `amount` cards, for a plain browser and the tests. */
import type {
  CostLine,
  PanelApproval,
  PanelCard,
  PanelCosts,
  PanelJob,
  PanelView,
} from '../../src/shared/panelView.ts';
import { sampleCards } from './sampleCards.ts';

const AT = '2026-11-02T09:00:00.000Z';
const SIZE = 6;

function approvals(cards: readonly PanelCard[]): PanelApproval[] {
  const ofFeatures = cards
    .filter((card) => card.approvalId !== null)
    .slice(0, 2)
    .map(
      (card): PanelApproval => ({
        id: card.approvalId ?? 1,
        kind: 'stuck',
        question: `The worker is stuck on “${card.name}”. How should it go on?`,
        detail: 'The history file is on a disk that does not allow locks.',
        choices: [],
        executables: [],
        jobId: 'job-1',
        featureId: card.id,
        requestedAt: AT,
        reviewable: false,
      }),
    );
  const merge: PanelApproval = {
    id: 900_001,
    kind: 'merge',
    question: 'Merge “A calculator for the terminal” into main?',
    detail: '12 files changed, 480 insertions, 31 deletions. All verify commands passed.',
    choices: ['merge', 'branch', 'patch'],
    executables: ['package.json', '.husky/pre-commit'],
    jobId: 'job-2',
    featureId: null,
    requestedAt: AT,
    reviewable: true,
  };
  return [merge, ...ofFeatures];
}

function job(cards: readonly PanelCard[], patch: Partial<PanelJob>): PanelJob {
  const counts = { pending: 0, in_progress: 0, completed: 0, failed: 0 };
  for (const card of cards) counts[card.status]++;
  return {
    id: 'job-1',
    title: 'Rewrite the configuration so that every mistake is named',
    status: 'running',
    reason: null,
    wakeAt: null,
    costUsd: 1.84,
    budgetUsd: 10,
    simulated: false,
    counts,
    phases: [
      { id: 1, number: 1, title: 'Foundations', status: 'completed', attempt: 1 },
      { id: 2, number: 2, title: 'Commands', status: 'executing', attempt: 1 },
      { id: 3, number: 3, title: 'Polish', status: 'pending', attempt: 1 },
    ],
    branch: 'autonomous/job-1',
    createdAt: AT,
    endedAt: null,
    ...patch,
  };
}

function line(label: string, share: number): CostLine {
  return {
    key: label,
    label,
    calls: Math.round(40 * share),
    settledUsd: 1.84 * share,
    reservedUsd: 0.05 * share,
    unsettledUsd: 0,
    inputTokens: 120_000 * share,
    outputTokens: 18_000 * share,
    cacheReadTokens: 640_000 * share,
    cacheWriteTokens: 52_000 * share,
  };
}

function costs(cards: readonly PanelCard[]): PanelCosts {
  const spent = cards.filter((card) => card.costUsd > 0).slice(0, SIZE);
  return {
    day: '2026-11-02',
    todayUsd: 1.84,
    todaySimulatedUsd: 0,
    dayLimitUsd: 5,
    total: line('total', 1),
    tables: {
      byJob: [line('Rewrite the configuration so that every mistake is named', 0.8), line('A calculator', 0.2)],
      byPhase: [line('Foundations', 0.6), line('Commands', 0.4)],
      byFeature: spent.map((card) => line(`#${card.id} ${card.name}`, 1 / SIZE)),
      byAttempt: spent.map((card) => line(`#${card.id} attempt 1`, 1 / SIZE)),
      byRole: [line('worker', 0.7), line('reviewer', 0.2), line('planner', 0.1)],
      byModel: [line('claude-sonnet', 0.7), line('claude-opus', 0.3)],
      series: Array.from(
        { length: 40 },
        (_, index) => [Date.parse(AT) / 1000 + index * 240, (1.84 * index) / 39] as const,
      ),
    },
  };
}

export function sampleView(amount: number): PanelView {
  const cards = sampleCards(amount);
  if (amount === 0) {
    const { tables, ...rest } = costs(cards);
    const none = tables === null ? null : { ...tables, series: [] };
    return {
      banner: null,
      mode: 'owner',
      approvals: [],
      jobs: [],
      cards,
      details: null,
      costs: { ...rest, tables: none },
    };
  }
  return {
    banner: null,
    mode: 'owner',
    approvals: approvals(cards),
    jobs: [
      job(cards, {}),
      job([], { id: 'job-2', title: 'A calculator for the terminal', status: 'awaiting_steward', costUsd: 0.37 }),
      job([], {
        id: 'job-3',
        title: 'Translate the manual',
        status: 'waiting',
        reason: 'Daily limit reached',
        wakeAt: '2026-11-03T00:00:00.000Z',
      }),
    ],
    cards,
    details: null,
    costs: costs(cards),
  };
}
