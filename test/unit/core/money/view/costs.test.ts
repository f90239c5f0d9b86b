import { describe, expect, it } from 'vitest';
import { jobOutcome, jobSummary } from '../../../../../src/core/job/view/job.ts';
import { costs } from '../../../../../src/core/money/view/costs.ts';
import { countedMicroUsd } from '../../../../../src/core/state/rows.ts';
import { JOB_STATUSES } from '../../../../../src/shared/job/rows.ts';
import { SPEND_STATUSES, type SpendRow } from '../../../../../src/shared/money.ts';
import { ROLES } from '../../../../../src/shared/session.ts';
import type { CostLine } from '../../../../../src/shared/workspace/panel.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  JOB_ID,
  jobRow,
  phaseRow,
  sessionRow,
  spendRow,
  stateOf,
} from '../../../../support/state/builders.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03'];
const TODAY = '2026-11-02';
/** Sums of these stay exact integers, as real ledgers do. */
const micro = fc.nat({ max: 50_000_000_000 });
const tokens = fc.nat({ max: 1_000_000 });
const id = fc.option(fc.integer({ min: 1, max: 4 }));

const ledger: fc.Arbitrary<SpendRow[]> = fc
  .array(
    fc.record({
      project_id: fc.constantFrom('default', 'docs', 'main', '__proto__'),
      job_id: fc.option(fc.constantFrom(JOB_ID, 'job-2', '__proto__')),
      phase_id: id,
      feature_id: id,
      attempt_id: id,
      task_id: fc.option(fc.constantFrom('task-1', '__proto__')),
      role: fc.constantFrom(...ROLES),
      model: fc.constantFrom('opus', 'sonnet', 'constructor'),
      provider: fc.constantFrom('anthropic', 'simulated', 'vscode-lm'),
      day: fc.constantFrom(...DAYS),
      status: fc.constantFrom(...SPEND_STATUSES),
      reserved_micro_usd: micro,
      settled_micro_usd: micro,
      input_tokens: tokens,
      output_tokens: tokens,
      cache_read_tokens: tokens,
      cache_write_5m_tokens: tokens,
      cache_write_1h_tokens: tokens,
    }),
    { maxLength: 40 },
  )
  .map((rows) => rows.map((row, index) => spendRow({ ...row, id: index + 1 })));

/** Money and calls of some rows, summed without any help of the view. */
function plainSum(rows: readonly SpendRow[]): Record<string, number> {
  const sum = (of: (row: SpendRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const money = (status: SpendRow['status']): number =>
    sum((row) => (row.status === status ? (status === 'settled' ? row.settled_micro_usd : row.reserved_micro_usd) : 0));
  return {
    calls: sum((row) => (row.status === 'released' ? 0 : 1)),
    unpricedCalls: sum((row) => (row.status !== 'released' && row.provider === 'vscode-lm' ? 1 : 0)),
    settledUsd: money('settled'),
    reservedUsd: money('reserved'),
    unsettledUsd: money('unsettled'),
    inputTokens: sum((row) => row.input_tokens),
    outputTokens: sum((row) => row.output_tokens),
    cacheReadTokens: sum((row) => row.cache_read_tokens),
    cacheWriteTokens: sum((row) => row.cache_write_5m_tokens + row.cache_write_1h_tokens),
  };
}

function inMicro({ key: _, label: __, ...line }: CostLine): Record<string, number> {
  const round = (usd: number): number => Math.round(usd * 1e6);
  return {
    ...line,
    settledUsd: round(line.settledUsd),
    reservedUsd: round(line.reservedUsd),
    unsettledUsd: round(line.unsettledUsd),
  };
}

const KEYS = [
  ['byProject', 'project_id'],
  ['byJob', 'job_id'],
  ['byPhase', 'phase_id'],
  ['byFeature', 'feature_id'],
  ['byAttempt', 'attempt_id'],
  ['byTask', 'task_id'],
  ['byRole', 'role'],
  ['byModel', 'model'],
] as const;

describe('the costs', () => {
  it('equal the ledger, in all and by every key', () => {
    fc.assert(
      fc.property(ledger, fc.constantFrom(null, JOB_ID), (spends, job) => {
        const view = costs(stateOf({ spends }), TODAY, job);
        const of = spends.filter((row) => job === null || row.job_id === job);
        expect(inMicro(view.total)).toEqual(plainSum(of));
        for (const [by, column] of KEYS) {
          const keys = new Set(of.map((row) => row[column]).filter((key) => key !== null));
          expect(new Set(view[by].map((line) => line.key))).toEqual(new Set([...keys].map(String)));
          for (const line of view[by]) {
            expect(inMicro(line)).toEqual(plainSum(of.filter((row) => String(row[column]) === line.key)));
          }
        }
      }),
      { numRuns: amount({ short: 80, long: 20_000 }) },
    );
  });

  it('list what is unsettled at its worst case', () => {
    const spends = [spendRow({ id: 3, status: 'unsettled', reserved_micro_usd: 1_500_000, reason: 'lost' })];
    expect(costs(stateOf({ spends }), TODAY).unsettled).toEqual([
      { id: 3, usd: 1.5, role: 'worker', model: 'sonnet', reason: 'lost', at: expect.any(String) },
    ]);
  });

  it('of today are those of all jobs, on the day of the ledger', () => {
    const spends = [
      spendRow({ id: 1, provider: 'anthropic', settled_micro_usd: 1_000_000, day: '2026-11-02' }),
      spendRow({ id: 2, provider: 'anthropic', settled_micro_usd: 2_000_000, day: '2026-11-02', job_id: 'job-2' }),
      spendRow({ id: 3, provider: 'anthropic', settled_micro_usd: 4_000_000, day: '2026-11-03' }),
    ];
    const state = stateOf({ spends });
    expect(costs(state, '2026-11-02', JOB_ID).today).toMatchObject({ day: '2026-11-02', costUsd: 3, limitUsd: null });
    state.meta = { ...state.meta, last_day: '2026-11-03', limits: { ...state.meta.limits, dayMicroUsd: 5_000_000 } };
    expect(costs(state, '2026-11-02').today).toMatchObject({ day: '2026-11-03', costUsd: 4, limitUsd: 5 });
  });

  it('are labelled by what the keys stand for, or by the keys when that is gone', () => {
    const spends = [
      spendRow(),
      spendRow({ id: 2, job_id: 'gone', phase_id: 9, feature_id: 9, attempt_id: 9 }),
      spendRow({ id: 3, feature_id: null, attempt_id: 2 }),
    ];
    const attempts = [attemptRow({ number: 3 }), attemptRow({ id: 2, feature_id: null, number: 1 })];
    const view = costs(
      stateOf({ jobs: [jobRow()], phases: [phaseRow()], features: [featureRow({ name: 'push' })], attempts, spends }),
      TODAY,
    );
    const labels = (lines: readonly CostLine[]): string[] => lines.map((line) => line.label);
    expect(labels(view.byJob)).toEqual(['A stack', 'gone']);
    expect(labels(view.byPhase)).toEqual(['1. Core', '9']);
    expect(labels(view.byFeature)).toEqual(['push', '9']);
    expect(labels(view.byAttempt)).toEqual(['push #3', '9', 'review of 1. Core #1']);
  });
});

describe('the summary of a job', () => {
  it.each(JOB_STATUSES)('has an outcome for a caller when %s', (status) => {
    const outcomes = { completed: 'completed', paused: 'completed', failed: 'failed', cancelled: 'cancelled' };
    expect(jobOutcome(status)).toBe((outcomes as Record<string, string>)[status] ?? 'open');
  });

  it('counts what is of the job, and nothing of others', () => {
    const spends = [spendRow({ settled_micro_usd: 500_000 }), spendRow({ id: 2, job_id: 'job-2' })];
    const state = stateOf({
      jobs: [jobRow(), jobRow({ id: 'job-2' })],
      phases: [phaseRow(), phaseRow({ id: 2, number: 2 }), phaseRow({ id: 3, job_id: 'job-2' })],
      features: [featureRow(), featureRow({ id: 2, status: 'completed' }), featureRow({ id: 3, phase_id: 3 })],
      attempts: [attemptRow(), attemptRow({ id: 2, feature_id: null }), attemptRow({ id: 3, job_id: 'job-2' })],
      sessions: [
        sessionRow({ turns: 2, started_at: '2026-11-02T12:00:00.000Z', ended_at: '2026-11-02T12:00:05.000Z' }),
        sessionRow({ id: 2, turns: 3 }),
        sessionRow({ id: 3, job_id: 'job-2', turns: 9 }),
      ],
      approvals: [
        approvalRow({ id: 4 }),
        approvalRow({ id: 5, status: 'approved' }),
        approvalRow({ id: 6, job_id: 'job-2' }),
      ],
      spends,
    });
    expect(jobSummary(state, JOB_ID)).toMatchObject({
      costUsd: 0.5,
      turns: 5,
      durationMs: 5_000,
      phases: 2,
      features: { total: 2, pending: 1, completed: 1, failed: 0, in_progress: 0 },
      attempts: 1,
      approvals: [4],
    });
    expect(() => jobSummary(state, 'no')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('counts a call as what is known of it', () => {
    const row = spendRow({ reserved_micro_usd: 100, settled_micro_usd: 40 });
    const counted = SPEND_STATUSES.map((status) => countedMicroUsd({ ...row, status }));
    expect(counted).toEqual([100, 40, 0, 100]);
  });
});

it('names the main agent beside the projects', () => {
  const spends = [spendRow({ id: 1, project_id: 'docs' }), spendRow({ id: 2, project_id: 'main', job_id: null })];
  expect(costs(stateOf({ spends }), TODAY).byProject.map(({ key, label }) => [key, label])).toEqual([
    ['docs', 'docs'],
    ['main', 'main agent'],
  ]);
});
