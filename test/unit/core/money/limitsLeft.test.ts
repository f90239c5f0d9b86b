/** What the limits leave to a session that begins. */
import { expect, it } from 'vitest';
import { type Beginning, limitsLeft } from '../../../../src/core/money/limitsLeft.ts';
import type { JobOptions } from '../../../../src/shared/job/rows.ts';
import type { SpendRow } from '../../../../src/shared/money.ts';
import { NO_PROJECT_LIMITS, type ProjectLimits } from '../../../../src/shared/project/projects.ts';
import { jobOptions, jobRow, projectRow, spendRow, stateOf } from '../../../support/state/builders.ts';

const day = '2030-01-02';
const attempt = { turns: 50, tokens: 1_000_000, seconds: 60, microUsd: 5_000_000 };

function leftIn(
  options: Partial<JobOptions>,
  spends: readonly Partial<SpendRow>[] = [],
  limits: Partial<ProjectLimits> = {},
  of: Partial<Beginning> = {},
) {
  const job = jobRow({ options: jobOptions({ provider: 'anthropic', budgetMicroUsd: null, attempt, ...options }) });
  const owns = { project_id: job.project_id, job_id: job.id, provider: job.options.provider, day };
  const state = stateOf({
    jobs: [job],
    projects: [projectRow({ id: job.project_id, limits: { ...NO_PROJECT_LIMITS, ...limits } })],
    spends: spends.map((row, at) =>
      spendRow({ ...owns, attempt_id: 7, status: 'settled', output_tokens: 0, ...row, id: at + 1 }),
    ),
  });
  return limitsLeft(state, job, { isAttempt: true, executor: 'builtin', day, ...of });
}

it('names the limit of the attempt where it leaves least, and none of a session without an attempt', () => {
  expect(leftIn({})).toEqual([{ counts: 'money', limit: 'attempt', left: 5_000_000, most: 5_000_000 }]);
  expect(leftIn({}, [], {}, { isAttempt: false })).toEqual([]);
});

it.each([
  ['job', { budgetMicroUsd: 1_000_000 }, {}],
  ['project_total', {}, { totalMicroUsd: 1_000_000 }],
  ['project_day', { budgetMicroUsd: 1_100_000 }, { dayMicroUsd: 1_000_000 }],
] as const)(
  'names the %s limit, of which spent money is taken and money in flight is not',
  (limit, options, limits) => {
    const spends = [
      { settled_micro_usd: 300_000 },
      { status: 'unsettled', reserved_micro_usd: 50_000 },
      { status: 'reserved', reserved_micro_usd: 500_000 },
    ] as const;
    expect(leftIn(options, spends, limits)).toEqual([{ counts: 'money', limit, left: 650_000, most: 1_000_000 }]);
  },
);

it('leaves nothing of a limit that more than it was spent of', () => {
  expect(leftIn({ budgetMicroUsd: 100 }, [{ settled_micro_usd: 200 }])).toMatchObject([{ limit: 'job', left: 0 }]);
});

it('names calls and tokens where they leave less than an attempt may use, and no money where nothing has a price', () => {
  const calls = [
    { input_tokens: 900, settled_micro_usd: 0 },
    { input_tokens: 100, settled_micro_usd: 0 },
  ];
  const options = { provider: 'vscode-lm', unpricedLimits: { calls: 10, tokens: 5_000 } } as const;
  expect(leftIn(options, calls, { tokens: 3_000, toolCalls: 60 })).toEqual([
    { counts: 'turns', limit: 'calls', left: 8, most: 10 },
    { counts: 'tokens', limit: 'project_tokens', left: 2_000, most: 3_000 },
  ]);
  expect(leftIn({ ...options, unpricedLimits: { calls: 1_000, tokens: 9_000_000 } }, calls)).toEqual([]);
});

it("names the limits of the job for an agent's own account", () => {
  const options = { unpricedLimits: { calls: 10, tokens: 5_000 } };
  const spends = [{ provider: 'own-account', input_tokens: 1_000, settled_micro_usd: 0 }] as const;
  expect(leftIn(options, spends, {}, { executor: 'cline', isAttempt: false })).toEqual([
    { counts: 'turns', limit: 'calls', left: 9, most: 10 },
    { counts: 'tokens', limit: 'tokens', left: 4_000, most: 5_000 },
  ]);
});
