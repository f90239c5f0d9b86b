import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admit, bookingDay, dayEnd, overrunMicroUsd, type WantedCall } from '../../../../src/core/money/budget.ts';
import type { JobRow } from '../../../../src/shared/job/rows.ts';
import type { Limits, SpendRow } from '../../../../src/shared/money.ts';
import { NO_PROJECT_LIMITS, type ProjectLimits, type ProjectRow } from '../../../../src/shared/project/projects.ts';
import { emptyState, type State } from '../../../../src/shared/workspace/state.ts';
import { JOB_OPTIONS } from '../../../support/state/memoryStore.ts';

const OPEN: Limits = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: null };
const CALL: WantedCall = {
  provider: 'anthropic',
  project_id: 'p',
  job_id: 'j',
  attempt_id: 1,
  task_id: null,
  day: '2026-11-21',
  microUsd: 100,
};
const SPEND: SpendRow = {
  id: 1,
  session_id: 1,
  project_id: 'p',
  job_id: 'j',
  conversation: null,
  tool_calls: 0,
  phase_id: null,
  feature_id: null,
  attempt_id: 1,
  task_id: null,
  step_id: null,
  role: 'worker',
  provider: 'anthropic',
  model: 'm',
  day: '2026-11-21',
  status: 'settled',
  reserved_micro_usd: 500,
  reserved_tokens: 50,
  settled_micro_usd: 300,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  price_version: 'v',
  epoch: 1,
  at: '',
  settled_at: null,
  reason: null,
};

function stateOf(
  spends: readonly Partial<SpendRow>[],
  budgetMicroUsd: number | null = null,
  attemptMicroUsd = 1e12,
): State {
  const state = emptyState();
  const attempt = { ...JOB_OPTIONS.attempt, microUsd: attemptMicroUsd };
  state.jobs.set('j', { id: 'j', options: { ...JOB_OPTIONS, budgetMicroUsd, attempt } } as JobRow);
  for (const [index, spend] of spends.entries()) state.spends.set(index + 1, { ...SPEND, ...spend, id: index + 1 });
  return state;
}

function withProject(state: State, limits: Partial<ProjectLimits>): State {
  state.projects.set('p', { id: 'p', limits: { ...NO_PROJECT_LIMITS, ...limits } } as ProjectRow);
  return state;
}

describe('admit', () => {
  it.each([
    ['call', {}, 99, null, 1e12],
    ['attempt', {}, null, null, 1199],
    ['job', {}, null, 1199, 1e12],
    ['project', { projectMicroUsd: 1199 }, null, null, 1e12],
    ['day', { dayMicroUsd: 1199 }, null, null, 1e12],
    ['total', { totalMicroUsd: 1199 }, null, null, 1e12],
  ] as const)('counts settled, reserved and unsettled against the %s limit', (limit, limits, call, budget, attempt) => {
    const spends = [
      { status: 'settled' },
      { status: 'reserved', reserved_micro_usd: 700 },
      { status: 'unsettled', reserved_micro_usd: 100 },
      { status: 'released', reserved_micro_usd: 9999 },
    ] as const;
    const refused = admit(stateOf(spends, budget, attempt), CALL, { ...OPEN, ...limits, callMicroUsd: call });
    expect(refused).toMatchObject({ ok: false, limit, wantedMicro: 100 });
    if (limit !== 'call') expect(refused).toMatchObject({ spentMicro: 400, reservedMicro: 700, limitMicro: 1199 });
    const raised = Object.fromEntries(Object.entries(limits).map(([name]) => [name, 1200]));
    const admitted = admit(stateOf(spends, budget && 1200, Math.max(attempt, 1200)), CALL, {
      ...OPEN,
      ...raised,
      callMicroUsd: call && 100,
    });
    expect(admitted).toEqual({ ok: true });
  });

  it.each([
    ['project_day', { dayMicroUsd: 1199 }, { dayMicroUsd: 1200 }],
    ['project_total', { totalMicroUsd: 1199 }, { totalMicroUsd: 1200 }],
  ] as const)("counts a project's jobs and its conversation against its %s limit", (limit, tight, enough) => {
    const spends = [
      { status: 'settled' },
      { status: 'reserved', reserved_micro_usd: 700, job_id: null, attempt_id: null },
      { status: 'unsettled', reserved_micro_usd: 100, job_id: 'k' },
      { project_id: 'q', settled_micro_usd: 10_000 },
    ] as const;
    const refused = admit(withProject(stateOf(spends), tight), CALL, OPEN);
    expect(refused).toMatchObject({ ok: false, limit, limitMicro: 1199, spentMicro: 400, reservedMicro: 700 });
    expect(admit(withProject(stateOf(spends), enough), { ...CALL, job_id: null }, OPEN)).toEqual({ ok: true });
  });

  it("opens a project's day again with the next one, and its total never", () => {
    const state = withProject(stateOf([{ day: '2026-11-20' }]), { dayMicroUsd: 100, totalMicroUsd: 400 });
    expect(admit(state, CALL, OPEN)).toEqual({ ok: true });
    const spent = withProject(stateOf([{}]), { dayMicroUsd: 300, totalMicroUsd: 300 });
    expect(admit(spent, CALL, OPEN)).toMatchObject({ limit: 'project_day', resetsAt: dayEnd(CALL.day) });
    expect(admit(withProject(spent, { totalMicroUsd: 300 }), CALL, OPEN)).toMatchObject({ resetsAt: null });
  });

  it('counts for a limit only what belongs to it', () => {
    const elsewhere = [
      { day: '2026-11-20', job_id: 'k', attempt_id: 2, project_id: 'q', settled_micro_usd: 10_000 },
      { attempt_id: null, job_id: null, day: '2026-11-20', project_id: 'q', settled_micro_usd: 10_000 },
    ];
    const state = stateOf(elsewhere, 100, 100);
    expect(admit(state, CALL, { ...OPEN, dayMicroUsd: 100, projectMicroUsd: 100 })).toEqual({ ok: true });
    expect(admit(state, CALL, { ...OPEN, totalMicroUsd: 20_099 })).toMatchObject({
      limit: 'total',
      spentMicro: 20_000,
    });
  });

  it('keeps simulated and real money apart', () => {
    const state = stateOf([{ provider: 'simulated', settled_micro_usd: 5000 }]);
    const limits = { ...OPEN, dayMicroUsd: 1000 };
    expect(admit(state, CALL, limits)).toEqual({ ok: true });
    expect(admit(state, { ...CALL, provider: 'simulated' }, limits)).toMatchObject({ limit: 'day', spentMicro: 5000 });
  });

  it('names a limit that stays shut before one that only calls in flight shut', () => {
    const state = stateOf([{ status: 'reserved', reserved_micro_usd: 900 }, { settled_micro_usd: 400 }], 1000);
    const refused = admit(state, CALL, { ...OPEN, totalMicroUsd: 450 });
    expect(refused).toMatchObject({ limit: 'total', spentMicro: 400, reservedMicro: 900 });
  });

  it('takes a call without job and attempt', () => {
    const call = { ...CALL, job_id: null, attempt_id: null };
    expect(admit(stateOf([{}], 1, 1), call, OPEN)).toEqual({ ok: true });
  });
});

describe('the booking day', () => {
  const before = process.env['TZ'];
  beforeEach(() => {
    process.env['TZ'] = 'Europe/Vienna';
  });
  afterEach(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  it('is the local day', () => {
    expect(bookingDay('', Date.UTC(2026, 10, 21, 22, 59))).toBe('2026-11-21');
    expect(bookingDay('2026-11-21', Date.UTC(2026, 10, 21, 23, 0))).toBe('2026-11-22');
  });

  it('never goes back with the clock', () => {
    expect(bookingDay('2026-11-21', Date.UTC(2016, 0, 1))).toBe('2026-11-21');
  });

  it.each([
    ['2026-11-21', '2026-11-21T23:00:00.000Z'],
    ['2026-12-31', '2026-12-31T23:00:00.000Z'],
    ['2026-03-28', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', '2026-10-25T23:00:00.000Z'],
  ])('%s resets at the next local midnight', (day, resetsAt) => {
    const refused = admit(stateOf([{ day }]), { ...CALL, day }, { ...OPEN, dayMicroUsd: 1 });
    expect(refused).toMatchObject({ limit: 'day', resetsAt });
  });
});

it('shows what was billed beyond the reservation', () => {
  expect(overrunMicroUsd({ ...SPEND, settled_micro_usd: 700 })).toBe(200);
  expect(overrunMicroUsd(SPEND)).toBe(0);
  expect(overrunMicroUsd({ ...SPEND, status: 'unsettled' })).toBe(0);
});
