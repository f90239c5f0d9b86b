/** The plan of the page, and where its estimate comes from. */
import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../../../../src/core/approval/about.ts';
import { aboutPlan } from '../../../../../src/core/job/plan/planSetup.ts';
import { planId } from '../../../../../src/core/state/planId.ts';
import { panelMaker } from '../../../../../src/core/workspace/panel.ts';
import type { JobOptions } from '../../../../../src/shared/job/rows.ts';
import { NO_LOOK } from '../../../../../src/shared/workspace/panel.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  jobOptions,
  jobRow,
  planFeature,
  planOf,
  planPhase,
  spendRow,
  stateOf,
} from '../../../../support/state/builders.ts';

type Rows = Parameters<typeof stateOf>[0];

const REAL: Partial<JobOptions> = { provider: 'anthropic', scenario: null, budgetMicroUsd: 4_000_000 };
const plan = planOf({ Core: ['parser', 'store < parser'], Manual: ['guide'] });

/** The plan of the job `new`, beside what is given. */
function planIn({ jobs = [], approvals = [], ...rows }: Rows = {}, options: Partial<JobOptions> = REAL) {
  const own = jobRow({ id: 'new', plan_version: 2, plan_accepted: false, options: jobOptions(options) });
  const versions = [1, 2].map((version) => ({
    id: planId('new', version),
    job_id: 'new',
    version,
    plan: version === 2 ? plan : planOf({ Old: ['gone'] }),
    by: 'planner' as const,
    at: '2026-11-02T09:00:00.000Z',
  }));
  const asked = approvalRow({ id: 7, kind: 'plan', job_id: 'new', subject: 'plan:2', status: 'pending' });
  const state = stateOf({ ...rows, jobs: [...jobs, own], plans: versions, approvals: [...approvals, asked] });
  const frame = { banner: null, mode: 'owner' } as const;
  return panelMaker().view(state, '2026-11-02', frame, { ...NO_LOOK, plan: 'new' }, 0).plan;
}

/** An earlier job that completed `features` features for 40 micro-USD and a minute each. */
function earlier(id: string, at: number, features: number, options: Partial<JobOptions> = REAL): Required<Rows> {
  const numbers = Array.from({ length: features }, (_, index) => at + index);
  const job_id = id;
  return {
    jobs: [jobRow({ id, status: 'completed', options: jobOptions(options) })],
    features: numbers.map((one) => featureRow({ id: one, job_id, status: 'completed' })),
    attempts: numbers.map((one) =>
      attemptRow({
        id: one,
        job_id,
        feature_id: one,
        status: 'succeeded',
        started_at: '2026-11-01T09:00:00.000Z',
        ended_at: '2026-11-01T09:01:00.000Z',
      }),
    ),
    spends: numbers.map((one) => spendRow({ id: one, job_id, feature_id: one, provider: 'anthropic' })),
  } as unknown as Required<Rows>;
}

function together(...all: readonly Rows[]): Rows {
  const of = <Name extends keyof Rows>(name: Name) => all.flatMap((rows) => [...(rows[name] ?? [])]) as never;
  return { jobs: of('jobs'), features: of('features'), attempts: of('attempts'), spends: of('spends') };
}

describe('a plan on the page', () => {
  it('is the newest version, with the question about that version', () => {
    expect(planIn()).toMatchObject({ jobId: 'new', version: 2, approvalId: 7, accepted: false, budgetUsd: 4 });
    const [core, manual] = planIn()?.phases ?? [];
    expect(core?.features.map(({ number, name, dependsOn }) => [number, name, dependsOn])).toEqual([
      [1, 'parser', []],
      [2, 'store', ['parser']],
    ]);
    expect(manual?.features[0]?.number).toBe(3);
  });

  it('shows what the approval answers and grants, and is asked by a question that needs words', () => {
    const more = { questions: ['Tabs?'], setup: ['npm install'], assumptions: ['Node only'], findings: 'See lib/.' };
    const own = {
      ...plan,
      ...more,
      phases: [planPhase({ features: [planFeature({ name: 'a', verify_commands: ['ls'] })] })],
    };
    const state = stateOf({
      jobs: [jobRow({ id: 'new', plan_version: 2 })],
      plans: [{ id: planId('new', 2), job_id: 'new', version: 2, plan: own, by: 'planner', at: '' }],
      approvals: [
        approvalRow({ id: 7, kind: 'plan', job_id: 'new', subject: subjectOf(aboutPlan(2, own)), status: 'pending' }),
      ],
    });
    const view = panelMaker().view(state, '', { banner: null, mode: 'owner' }, { ...NO_LOOK, plan: 'new' }, 0);
    expect(view.plan).toMatchObject({ approvalId: 7, ...more, phases: [{ features: [{ verify: ['ls'] }] }] });
    expect(planIn()).toMatchObject({ questions: [], setup: [], assumptions: [], findings: '' });
  });

  it('is asked by no question about another version', () => {
    const state = stateOf({
      jobs: [jobRow({ id: 'new', plan_version: 2 })],
      plans: [{ id: planId('new', 2), job_id: 'new', version: 2, plan, by: 'steward', at: '' }],
      approvals: [approvalRow({ id: 7, kind: 'plan', job_id: 'new', subject: 'plan:1', status: 'pending' })],
    });
    const view = panelMaker().view(state, '', { banner: null, mode: 'owner' }, { ...NO_LOOK, plan: 'new' }, 0);
    expect(view.plan?.approvalId).toBeNull();
  });

  it('is null for a job that is gone, and while no plan is looked at', () => {
    const frame = { banner: null, mode: 'owner' } as const;
    expect(panelMaker().view(stateOf({}), '', frame, { ...NO_LOOK, plan: 'gone' }, 0).plan).toBeNull();
    expect(panelMaker().view(stateOf({}), '', frame, NO_LOOK, 0).plan).toBeNull();
  });
});

describe('its estimate', () => {
  it('is the range of the earlier jobs of the same model, for the features to do', () => {
    const dear = earlier('dear', 20, 1);
    const twice = { ...dear, spends: [...(dear.spends ?? []), ...earlier('dear', 30, 1).spends] };
    const rows = together(earlier('cheap', 1, 4), twice);
    expect(planIn(rows)?.estimate).toMatchObject({
      source: 'recorded',
      jobs: 2,
      features: 5,
      usd: { low: expect.closeTo(0.00012, 9), high: expect.closeTo(0.00024, 9) },
      ms: { low: 180_000, high: 180_000 },
    });
  });

  it.each([
    ['another model', { ...REAL, models: { ...jobOptions().models, worker: 'another' } }],
    ['another agent', { ...REAL, executors: { worker: 'cline' } }],
    ['a simulation', { ...REAL, provider: 'simulated' }],
  ] as const)('counts no job of %s', (_, options) => {
    expect(planIn(earlier('other', 1, 4, options))?.estimate).toEqual({ source: 'budget', atMostUsd: 4 });
  });

  it('counts no job that completed nothing', () => {
    const begun = { ...earlier('begun', 1, 2), features: [] };
    expect(planIn(begun)?.estimate).toEqual({ source: 'budget', atMostUsd: 4 });
  });

  it('is unknown without earlier jobs and without a budget', () => {
    expect(planIn({}, { ...REAL, budgetMicroUsd: null })?.estimate).toEqual({ source: 'unknown' });
    expect(planIn({}, { ...REAL, provider: 'vscode-lm' })?.estimate).toEqual({ source: 'unknown' });
  });

  it('of a simulated job has no figures, whatever ran before', () => {
    const simulated = { ...REAL, provider: 'simulated' } as const;
    expect(planIn(earlier('before', 1, 4, simulated), simulated)?.estimate).toEqual({ source: 'simulated' });
  });

  it('names no amount if the earlier jobs have no price', () => {
    const options = { ...REAL, provider: 'vscode-lm' } as const;
    const before = earlier('before', 1, 2, options);
    const spends = (before.spends ?? []).map((row) => ({ ...row, provider: 'vscode-lm' as const }));
    expect(planIn({ ...before, spends }, options)?.estimate).toMatchObject({ source: 'recorded', usd: null });
  });
});
