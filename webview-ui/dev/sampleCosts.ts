/** Costs of a sample's cards. */
import type { CacheAmounts, CacheLine } from '../../src/shared/money.ts';
import type {
  CostLine,
  ExecutorLine,
  PanelCard,
  PanelCostSession,
  PanelCosts,
} from '../../src/shared/workspace/panel.ts';

const DAY = '2026-11-02';
const START = Date.parse('2026-11-02T09:00:00.000Z');
const TOTAL = 1.84;
const FEATURES = 6;
const POINTS = 40;
const ROLES = ['planner', 'worker', 'reviewer'] as const;

/** Shares of the tokens and of the money, as of a worker whose conversation is handed over. */
const USES = [
  ['read', 640_000, 0.35],
  ['first', 38_000, 0.26],
  ['idle', 9_000, 0.06],
  ['handover', 5_000, 0.03],
  ['changed', 0, 0],
  ['unstored', 0, 0],
  ['output', 18_000, 0.3],
] as const;

const used = (tokens: number, usd: number, priced: boolean) => ({
  tokens,
  unpricedTokens: priced ? 0 : tokens,
  usd: priced ? usd : 0,
});

function amounts(share: number, priced: boolean, handovers: number): CacheAmounts {
  const calls = Math.round(40 * share);
  const uses = USES.filter(([, tokens]) => tokens > 0).map(
    ([use, tokens, part]) => [use, used(Math.round(tokens * share), TOTAL * part * share, priced)] as const,
  );
  return {
    calls,
    unpricedCalls: priced ? 0 : calls,
    uses: Object.fromEntries(uses),
    cacheReadTokens: Math.round(640_000 * share),
    cacheWrite5mTokens: Math.round(44_000 * share),
    cacheWrite1hTokens: Math.round(8_000 * share),
    uncachedTokens: 0,
    handovers,
    savedUsd: priced && handovers > 0 ? 0.14 * handovers : null,
  };
}

const cacheLine = (label: string, ...of: Parameters<typeof amounts>): CacheLine => ({
  key: label,
  label,
  ...amounts(...of),
});

function line(label: string, share: number, priced = true): CostLine {
  const calls = Math.round(40 * share);
  const money = priced ? TOTAL * share : 0;
  return {
    key: label,
    label,
    calls,
    unpricedCalls: priced ? 0 : calls,
    settledUsd: money,
    reservedUsd: money * 0.03,
    unsettledUsd: 0,
    inputTokens: Math.round(120_000 * share),
    outputTokens: Math.round(18_000 * share),
    cacheReadTokens: Math.round(640_000 * share),
    cacheWriteTokens: Math.round(52_000 * share),
  };
}

/** A worker's calls go up steadily, a reviewer's in steps. */
function series(empty: boolean) {
  const points = Array.from({ length: empty ? 0 : POINTS }, (_, index) => {
    const done = index / (POINTS - 1);
    return {
      at: START / 1000 + index * 240,
      usd: [Math.min(0.18, done * 2), 1.3 * done, 0.36 * (Math.floor(done * 4) / 4)],
    };
  });
  return { roles: ROLES, points };
}

function session(id: number, card: PanelCard): PanelCostSession {
  return {
    id,
    role: ROLES[id % 3] ?? 'worker',
    model: 'claude-sonnet',
    executor: id % 4 === 0 ? 'cline' : 'builtin',
    status: id % 4 === 0 ? 'running' : 'completed',
    jobTitle: 'Rewrite the configuration so that every mistake is named',
    featureName: id % 3 === 1 ? card.name : null,
    turns: 9 + id,
    costUsd: id % 4 === 0 ? null : 0.042,
    startedAt: new Date(START + id * 60_000).toISOString(),
    endedAt: id % 4 === 0 ? null : new Date(START + id * 60_000 + 95_000).toISOString(),
    workedMs: 95_000,
    cache: amounts(0.1, id % 4 !== 0, id % 3 === 1 ? 1 : 0),
  };
}

type Tally = Pick<ExecutorLine, 'executor' | 'role' | 'attempts' | 'judged' | 'passed' | 'medianMs' | 'settledUsd'>;

const executor = (tally: Tally, unpriced = false): ExecutorLine => ({
  ...tally,
  passRate: tally.judged === 0 ? null : tally.passed / tally.judged,
  calls: 12 * tally.attempts,
  unpricedCalls: unpriced ? 12 * tally.attempts : 0,
  reservedUsd: 0,
  unsettledUsd: 0,
  usdPerPassed: tally.passed === 0 ? null : tally.settledUsd / tally.passed,
});

const EXECUTORS: readonly ExecutorLine[] = [
  executor({
    executor: 'builtin',
    role: 'planner',
    attempts: 2,
    judged: 2,
    passed: 2,
    medianMs: 41_000,
    settledUsd: 0.18,
  }),
  executor({
    executor: 'builtin',
    role: 'worker',
    attempts: 9,
    judged: 8,
    passed: 6,
    medianMs: 95_000,
    settledUsd: 0.74,
  }),
  executor({
    executor: 'claude',
    role: 'worker',
    attempts: 4,
    judged: 4,
    passed: 4,
    medianMs: 128_000,
    settledUsd: 0.41,
  }),
  executor({
    executor: 'cline',
    role: 'worker',
    attempts: 5,
    judged: 5,
    passed: 3,
    medianMs: 143_000,
    settledUsd: 0.33,
  }),
  executor(
    { executor: 'codex', role: 'worker', attempts: 1, judged: 0, passed: 0, medianMs: null, settledUsd: 0 },
    true,
  ),
];

export function sampleCosts(cards: readonly PanelCard[], priced: boolean): PanelCosts {
  const spent = cards.filter((card) => card.costUsd > 0).slice(0, FEATURES);
  const part = (label: string, share: number) => line(label, share, priced);
  return {
    day: DAY,
    todayUsd: priced ? TOTAL : 0,
    todayOpenUsd: priced ? 0.3 : 0,
    todaySimulatedUsd: 0,
    dayLimitUsd: 5,
    total: part('total', 1),
    tables: {
      byProject: [part('default', 0.7), part('docs', 0.3)],
      byJob: [part('Rewrite the configuration so that every mistake is named', 0.8), part('A calculator', 0.2)],
      byPhase: [part('Foundations', 0.6), part('Commands', 0.4)],
      byFeature: spent.map((card) => part(`#${card.id} ${card.name}`, 1 / FEATURES)),
      byAttempt: spent.map((card) => part(`#${card.id} attempt 1`, 1 / FEATURES)),
      byRole: [part('worker', 0.7), part('reviewer', 0.2), part('planner', 0.1)],
      byModel: [part('claude-sonnet', 0.7), part('claude-opus', 0.3)],
      executors: EXECUTORS,
      cache: {
        total: cacheLine('Total', 1, priced, 3),
        byJob: [
          cacheLine('Rewrite the configuration so that every mistake is named', 0.8, priced, 3),
          cacheLine('A calculator', 0.2, priced, 0),
        ],
        byRole: [
          cacheLine('worker', 0.7, priced, 3),
          cacheLine('reviewer', 0.2, priced, 0),
          cacheLine('planner', 0.1, priced, 0),
        ],
      },
      series: series(cards.length === 0 || !priced),
      sessions: spent.map((card, index) => session(index + 1, card)),
    },
  };
}
