/** Limits that are reached, a person who is quicker than the loop, and pauses in the middle of a call. */
import { describe, expect, test } from 'vitest';
import { limitAskedAbout } from '../../../../../src/core/approval/about.ts';
import { pendingApprovals } from '../../../../../src/core/approval/stewardship.ts';
import { scenarioOf } from '../../../../support/demo/briefs.ts';
import type { ServedRequest } from '../../../../support/provider/messagesServer.ts';
import { jobOptions } from '../../../../support/state/builders.ts';
import { LoopWorld } from '../../../../support/world/loopWorld.ts';

/** Nothing more comes of this request after so many events of its answer. */
const stalls = (nth: number, afterEvents: number) => (request: ServedRequest) =>
  request.index === nth ? ({ kind: 'stall', afterEvents } as const) : null;

test('a pause while a feature is reviewed: only the reviewer is asked again', async () => {
  await using world = await LoopWorld.open({ faults: stalls(3, 2) });
  await world.submit({ reviewEachFeature: true });
  await world.until('the reviewer is asked', () => world.sent('reviewer').length === 1);
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the call is booked', () => world.happened('call_unsettled').length === 1);
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.sent('worker')).toHaveLength(2);
  expect(world.sent('reviewer')).toHaveLength(3);
  expect(world.attempts('A')).toHaveLength(1);
  expect(world.feature('A').retry_count).toBe(0);
});

test('a pause while the model answers: the call is booked, and asked again', async () => {
  await using world = await LoopWorld.open({ faults: stalls(1, 3) });
  await world.submit();
  await world.until('the worker is asked', () => world.sent('worker').length === 1);
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the call is booked', () => world.happened('call_unsettled').length === 1);
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  const [first, second] = world.sent('worker');
  expect(second?.body).toBe(first?.body);
  expect(world.attempts('A')).toHaveLength(1);
  expect(world.feature('A').retry_count).toBe(0);
});

describe('a limit', () => {
  test('of the job is asked about before the call leaves; raised, the job goes on', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ budgetMicroUsd: 50_000 });
    const asked = await world.asked('limit');
    const { raiseTo } = limitAskedAbout(asked.subject);
    expect(asked.question).toBe(
      `The job limit is reached. Raise it to $${((raiseTo ?? 0) / 1e6).toFixed(2)} and continue?`,
    );
    expect(world.sent('planner')).toEqual([]);
    expect(world.state.spends.size).toBe(0);
    await world.approve('limit', { choice: 'raise' });
    await world.is('completed');
    expect(world.job.options.budgetMicroUsd).toBe(raiseTo);
    expect(world.feature('A').retry_count).toBe(0);
  });

  test('of the job, however small, is asked about once: one answer lets its calls go on', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ budgetMicroUsd: 30_000 });
    await world.asked('limit');
    await world.approve('limit', { choice: 'raise' });
    await world.is('completed');
    expect([...world.state.approvals.values()].filter(({ kind }) => kind === 'limit')).toHaveLength(1);
  });

  test('of the job that is raised by resuming', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ budgetMicroUsd: 1 });
    await world.asked('limit');
    await world.owner.request('resumeJob', { jobId: world.jobId, budgetMicroUsd: 9_000_000 });
    await world.is('completed');
  });

  test('of the job that is raised lets it go on; lowered, the question stays', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ budgetMicroUsd: 10 });
    const asked = await world.asked('limit');
    await world.owner.request('setBudget', { jobId: world.jobId, budgetMicroUsd: 5 });
    expect(world.state.approvals.get(asked.id)?.status).toBe('pending');
    expect(world.job.options.budgetMicroUsd).toBe(5);
    await world.owner.request('setBudget', { jobId: world.jobId, budgetMicroUsd: 9_000_000 });
    await world.is('completed');
  });

  test('of a paused job that is raised, or taken away, leaves it paused', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ budgetMicroUsd: 10 });
    const asked = await world.asked('limit');
    await world.owner.request('pauseJob', { jobId: world.jobId });
    await world.owner.request('setBudget', { jobId: world.jobId, budgetMicroUsd: null });
    expect(world.state.approvals.get(asked.id)?.status).toBe('void');
    expect(world.job.status).toBe('paused');
    expect(world.sent('planner')).toEqual([]);
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.is('completed');
  });

  test('of the job that is not raised pauses it: it goes on once there is money', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ budgetMicroUsd: 1 });
    await world.reject('limit', 'That is all there is.');
    expect((await world.is('paused')).reason).toContain('limit');
    expect(world.sent('planner')).toEqual([]);
    await world.owner.request('setBudget', { jobId: world.jobId, budgetMicroUsd: null });
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.is('completed');
  });

  describe('of an attempt', () => {
    const { attempt } = jobOptions();
    const stopped = async (): Promise<LoopWorld> => {
      const world = await LoopWorld.open({ scenario: scenarioOf([{ features: [{ name: 'A' }, { name: 'B' }] }]) });
      await world.submit({ attempt: { ...attempt, microUsd: 10_000 } });
      await world.until('both are asked about', () => pendingApprovals(world.state).length === 2);
      return world;
    };

    test('holds its feature alone, says why, and uses no retry; raised once, all go on', async () => {
      await using world = await stopped();
      const [asked] = pendingApprovals(world.state);
      const { raiseTo } = limitAskedAbout(asked?.subject ?? '');
      expect(asked).toMatchObject({
        kind: 'limit',
        feature_id: world.feature('A').id,
        question: `Attempt 1 at "A" was stopped by its own budget. The attempt limit is reached. Raise it to $${((raiseTo ?? 0) / 1e6).toFixed(2)} and continue?`,
        detail: expect.stringContaining('the attempt limit of $0.0100 is reached: $0.0000 settled'),
      });
      expect(world.attempts('A')).toMatchObject([
        { status: 'blocked', cause: 'attempt_budget', summary: asked?.detail },
      ]);
      expect(world.attempts('B')).toHaveLength(1);
      expect(world.feature('A')).toMatchObject({ status: 'pending', retry_count: 0 });
      await world.owner.request('setLimits', { dayMicroUsd: 100_000_000 });
      await world.owner.request('resumeJob', { jobId: world.jobId, budgetMicroUsd: 100_000_000 });
      expect(pendingApprovals(world.state)).toHaveLength(2);
      await world.approve('limit', { choice: 'raise' });
      await world.is('completed');
      expect(world.job.options.attempt).toEqual({ ...attempt, microUsd: raiseTo });
      for (const name of ['A', 'B']) {
        expect(world.attempts(name).map(({ status }) => status)).toEqual(['blocked', 'succeeded']);
        expect(world.feature(name)).toMatchObject({ status: 'completed', retry_count: 0 });
      }
    });

    test('of a review interrupts the review, which goes on once it is raised', async () => {
      await using world = await LoopWorld.open();
      // Enough for the worker's shortest useful answer, not for the reviewer's.
      await world.submit({ attempt: { ...attempt, microUsd: 60_000 } });
      expect(await world.asked('limit')).toMatchObject({
        feature_id: null,
        question: expect.stringMatching(/^The attempt limit is reached\. Raise it to \$/),
      });
      expect(world.attempts('A')).toMatchObject([{ status: 'succeeded' }]);
      await world.approve('limit', { choice: 'raise' });
      await world.is('completed');
      const reviews = [...world.state.attempts.values()].filter(({ feature_id }) => feature_id === null);
      expect(reviews).toMatchObject([{ status: 'succeeded', cause: 'APPROVED' }]);
    });

    test('that is not raised gives up the feature alone', async () => {
      await using world = await stopped();
      for (const { id, feature_id } of pendingApprovals(world.state).toReversed()) {
        const isFirst = feature_id === world.feature('A').id;
        const answer = isFirst
          ? ({ decision: 'approved', choice: 'raise', feedback: null } as const)
          : ({ decision: 'rejected', choice: null, feedback: 'Not for this.' } as const);
        await world.owner.request('decide', { approvalId: id, ...answer, by: 'steward' });
      }
      await world.is('completed');
      expect(world.feature('A').status).toBe('completed');
      expect(world.feature('B')).toMatchObject({ status: 'failed', failure_reason: 'Not for this.' });
    });
  });

  test('of the day makes the job wait until midnight', async () => {
    await using world = await LoopWorld.open();
    await world.owner.request('setLimits', { dayMicroUsd: 1 });
    await world.submit();
    const { wake_at, reason } = await world.is('waiting');
    const today = new Date(world.clock.now());
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
    expect(wake_at).toBe(midnight.toISOString());
    expect(reason).toContain('day');
    expect(world.sent('planner')).toEqual([]);
    // Raised, it goes on by itself.
    await world.owner.request('setLimits', { dayMicroUsd: null });
    await world.is('completed');
  });

  test('of the day is over at midnight: the job is woken without anybody', async () => {
    await using world = await LoopWorld.open();
    const today = new Date(world.clock.now());
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
    await world.run({ mergeMode: 'branch' });
    await world.submit({ gates: ['plan'] });
    await world.asked('plan');
    await world.owner.request('setLimits', { dayMicroUsd: 1 });
    await world.approve('plan');
    const { reason } = await world.is('waiting');
    const wanted = Number(/up to \$([\d.]+) wanted/.exec(reason ?? '')?.[1]) * 1e6;
    const spent = world.happened('call_settled').reduce((sum, event) => sum + event.micro_usd, 0);
    // Enough for this call on a new day, not for one more today.
    await world.owner.request('setLimits', { dayMicroUsd: Math.floor(wanted + spent / 2) });
    const before = world.happened('call_settled').length;
    world.clock.advance(midnight - world.clock.now());
    await world.until('a call goes out', () => world.happened('call_settled').length > before);
    expect(world.clock.now()).toBeGreaterThanOrEqual(midnight);
    expect(world.happened('job_waiting')[0]?.wake_at).toBe(new Date(midnight).toISOString());
    const newest = [...world.state.spends.values()].at(-1);
    expect(newest).toMatchObject({ role: 'worker', job_id: world.jobId });
    expect(new Set([...world.state.spends.values()].map((row) => row.day)).size).toBe(2);
  });
});

describe('a person who is quicker than the loop', () => {
  test('pauses just when a question is put: nothing else is asked', async () => {
    await using world = await LoopWorld.open();
    await world.submit({ gates: ['plan'] });
    world.owner.follow({
      event: (event) => {
        if (event.type === 'approval_requested') void world.owner.request('pauseJob', { jobId: world.jobId });
      },
    });
    await world.is('paused');
    await world.close();
    expect([...world.state.approvals.values()].map((row) => row.kind)).toEqual(['plan']);
  });

  test('sets a feature aside just when it would begin: nothing is asked, and it is not tried', async () => {
    const scenario = scenarioOf([{ features: [{ name: 'A' }, { name: 'B' }] }]);
    await using world = await LoopWorld.open({ scenario, skipSleeps: true });
    world.owner.follow({
      event: (event) => {
        if (event.type !== 'phase_started') return;
        const { id: featureId } = world.feature('A');
        void world.owner.request('setFeature', { featureId, status: 'failed', reason: 'not this one' });
      },
    });
    await world.run();
    expect(world.state.approvals.size).toBe(0);
    expect(world.attempts('A')).toEqual([]);
    expect(world.feature('B').status).toBe('completed');
  });
});
