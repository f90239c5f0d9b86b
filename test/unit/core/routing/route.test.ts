/** Routes from rows: whose results count, where a review starts, and which ladders are refused. */
import { describe, expect, test } from 'vitest';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import { observations } from '../../../../src/core/routing/evidence.ts';
import { ladderFault } from '../../../../src/core/routing/ladderFault.ts';
import { plannerRoute, reviewerRoute, routedModel, workerRoute } from '../../../../src/core/routing/route.ts';
import type { AttemptRow, JobOptions } from '../../../../src/shared/job/rows.ts';
import type { SpendRow } from '../../../../src/shared/money.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import {
  attemptRow,
  featureRow,
  jobOptions,
  jobRow,
  phaseRow,
  sessionRow,
  spendRow,
  stateOf,
} from '../../../support/state/builders.ts';

const LADDER = ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'] as const;
const [HAIKU, SONNET, OPUS] = LADDER;
const FACTS = { prices: PRICES, record: [] };
const MODELS = { planner: OPUS, worker: SONNET, reviewer: OPUS, summarizer: HAIKU };
const options = (patch: Partial<JobOptions> = {}) =>
  jobOptions({ models: MODELS, routing: 'on', ladders: { worker: LADDER }, ...patch });

interface Tried {
  readonly id: number;
  readonly model: string;
  readonly attempt?: Partial<AttemptRow>;
  readonly spend?: Partial<SpendRow> | null;
  readonly executor?: string;
}

/** A feature with attempts, each in a session of its own and with one call. */
function tried(status: 'pending' | 'completed', attempts: readonly Tried[], patch: Partial<JobOptions> = {}): State {
  return stateOf({
    jobs: [jobRow({ options: options(patch) })],
    phases: [phaseRow()],
    features: [featureRow({ status, category: 'docs', retry_count: 0 })],
    sessions: attempts.map(({ id, model, executor = 'builtin' }) =>
      sessionRow({ id, role: 'worker', model, executor, phase_id: 1, status: 'completed' }),
    ),
    attempts: attempts.map(({ id, attempt }) =>
      attemptRow({ id, number: id, session_id: id, status: 'succeeded', ...attempt }),
    ),
    spends: attempts.flatMap(({ id, model, spend }) =>
      spend === null
        ? []
        : [
            spendRow({
              id,
              session_id: id,
              attempt_id: id,
              model,
              status: 'settled',
              provider: 'simulated',
              settled_micro_usd: 7_000,
              ...spend,
            }),
          ],
    ),
  });
}

const route = (state: State) => {
  const [job] = state.jobs.values();
  const [feature] = state.features.values();
  return job === undefined || feature === undefined ? null : workerRoute(state, job, feature, FACTS);
};

describe('the record', () => {
  test('has one result for each feature and model, and a rejected result is a failure', () => {
    const state = tried('completed', [
      { id: 1, model: HAIKU },
      { id: 2, model: SONNET, attempt: { status: 'failed' } },
      { id: 3, model: SONNET },
      { id: 4, model: OPUS },
    ]);
    expect(observations(state, 'simulated')).toEqual([
      { task: null, model: HAIKU, category: 'docs', passed: false, microUsd: 7_000, afterFailure: false },
      { task: null, model: SONNET, category: 'docs', passed: false, microUsd: 7_000, afterFailure: true },
      { task: null, model: OPUS, category: 'docs', passed: true, microUsd: 7_000, afterFailure: true },
    ]);
  });

  test('counts an unsettled call at its upper bound', () => {
    const spend = { status: 'unsettled', reserved_micro_usd: 90_000 } as const;
    expect(observations(tried('completed', [{ id: 1, model: HAIKU, spend }]), 'simulated')).toMatchObject([
      { microUsd: 90_000 },
    ]);
  });

  test.each([
    ['of another provider', { id: 1, model: HAIKU, spend: { provider: 'anthropic' } }],
    ['of an account without prices', { id: 1, model: HAIKU, spend: { provider: 'own-account' } }],
    ['without a booked call', { id: 1, model: HAIKU, spend: null }],
    ['of another agent', { id: 1, model: HAIKU, executor: 'cline' }],
    ['that asked the steward', { id: 1, model: HAIKU, attempt: { status: 'stuck' } }],
    ['that a person gave up', { id: 1, model: HAIKU, attempt: { status: 'abandoned' } }],
  ] as const)('has no result %s', (_, attempt) => {
    expect(observations(tried('completed', [attempt]), 'simulated')).toEqual([]);
  });
});

describe('the route of a worker', () => {
  test('climbs after the reviewer sent back a passed attempt', () => {
    expect(route(tried('pending', [{ id: 1, model: HAIKU }]))).toMatchObject({
      mode: 'on',
      model: SONNET,
      reason: 'claude-sonnet-5-5: attempt 1 with claude-haiku-5-5 failed',
    });
  });

  test.each([
    ['routing is off', { routing: 'off' }],
    ['the worker has no ladder', { ladders: {} }],
    ['another agent works', { executors: { worker: 'cline' } }],
  ] as const)('is none if %s', (_, patch) => {
    expect(route(tried('pending', [], patch))).toBeNull();
  });

  test('with suggest, the role keeps its model', () => {
    const job = jobRow({ options: options({ routing: 'suggest' }) });
    expect(routedModel(job, 'worker', { mode: 'suggest', model: HAIKU, reason: '' })).toBe(SONNET);
    expect(routedModel(job, 'worker', { mode: 'on', model: HAIKU, reason: '' })).toBe(HAIKU);
    expect(routedModel(job, 'worker', null)).toBe(SONNET);
  });
});

describe('the route of a review', () => {
  const ladders = { worker: LADDER, reviewer: LADDER };
  const models = { ...MODELS, reviewer: HAIKU };
  const reviewed = (attempts: readonly Tried[], reviews: readonly Parameters<typeof sessionRow>[0][]) => {
    const state = tried('completed', attempts, { ladders, models });
    for (const [at, patch] of reviews.entries()) {
      const row = sessionRow({ role: 'reviewer', phase_id: 1, status: 'completed', ...patch, id: 100 + at });
      state.sessions.set(row.id, row);
    }
    const [job] = state.jobs.values();
    if (job === undefined) throw new Error('no job');
    return reviewerRoute(state, job, phaseRow(), FACTS);
  };

  test('starts with the model of the role', () => {
    expect(reviewed([{ id: 1, model: HAIKU }], [])).toMatchObject({ model: HAIKU });
  });

  test('is never weaker than a model that worked on the phase, nor than an earlier review', () => {
    expect(reviewed([{ id: 1, model: SONNET }], [])).toMatchObject({ model: SONNET });
    expect(reviewed([{ id: 1, model: HAIKU }], [{ model: OPUS }])).toMatchObject({ model: OPUS });
  });

  test('moves up after a review without a verdict, and a review that is started again keeps its route', () => {
    expect(reviewed([], [{ model: HAIKU, status: 'failed' }])).toMatchObject({
      model: SONNET,
      reason: 'claude-sonnet-5-5: the last review with claude-haiku-5-5 ended without a verdict',
    });
    expect(reviewed([], [{ model: HAIKU, status: 'running' }])).toMatchObject({ model: HAIKU });
  });
});

test('a planner moves up after each plan that could not be used', () => {
  const job = (planner_tries: number) =>
    jobRow({
      planner_tries,
      options: options({ ladders: { planner: LADDER }, models: { ...MODELS, planner: SONNET } }),
    });
  expect([0, 1, 2].map((tries) => plannerRoute(job(tries), FACTS)?.model)).toEqual([SONNET, OPUS, OPUS]);
});

describe('a ladder', () => {
  test.each([
    [
      { ladders: { worker: [HAIKU, 'best'] } },
      'MODEL_UNPRICED',
      /ladder of the worker names "best", which has no price/,
    ],
    [{ ladders: { worker: [] } }, 'INVALID_INPUT', /is empty/],
    [{ ladders: { worker: [HAIKU, HAIKU] } }, 'INVALID_INPUT', /names a model twice/],
    [
      { ladders: { worker: [OPUS, HAIKU] } },
      'INVALID_INPUT',
      /not ordered from cheap to strong: claude-haiku-5-5 costs/,
    ],
    [{ ladders: { reviewer: [HAIKU, SONNET] } }, 'INVALID_INPUT', /reviewer lacks its own model, claude-opus-5-5/],
    [{ provider: 'vscode-lm' }, 'INVALID_INPUT', /routing compares prices/],
  ] as const)('%j is refused', (patch, code, message) => {
    const fault = ladderFault(options(patch), PRICES);
    expect(fault?.code).toBe(code);
    expect(fault?.message).toMatch(message);
  });

  test('is not checked while routing is off', () => {
    expect(ladderFault(options({ routing: 'off', ladders: { worker: ['best'] } }), PRICES)).toBeNull();
    expect(ladderFault(options(), PRICES)).toBeNull();
  });
});
