import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limitAskedAbout } from '../../../src/core/limitWords.ts';
import { attempt, bash, report, scenarioOf, write } from '../../support/briefs.ts';
import { EngineWorld } from '../../support/engineWorld.ts';
import type { ServedRequest } from '../../support/messagesServer.ts';
import { QuickClock } from '../../support/quickClock.ts';

const COMMANDS = [['ls'], ['sh', 'slow.sh']];

/** Says that it began, and waits for `goOn`. */
const script = (world: EngineWorld) =>
  `echo here > began\nwhile [ ! -f ${join(world.folder, 'go')} ]; do sleep 0.05; done\n`;

/** A job whose first worker waits in a command until `goOn`. */
async function inCommand(): Promise<EngineWorld> {
  const slow = attempt(write('A.txt', 'A'), bash('sh slow.sh'), report('done'));
  const world = await EngineWorld.open({
    scenario: scenarioOf([{ features: [{ name: 'A', attempts: [slow] }] }]),
    sandbox: true,
  });
  world.userCommits({ 'slow.sh': script(world) });
  await world.submit({ allowedCommands: COMMANDS });
  await began(world);
  return world;
}

function began(world: EngineWorld): Promise<boolean> {
  return world.until('the command runs', () => existsSync(join(world.job.clone_dir ?? '', 'began')));
}

const goOn = (world: EngineWorld) => writeFileSync(join(world.folder, 'go'), '');

/** Processes that have to do with this world; its own test process has not. */
function processes(world: EngineWorld): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(world.folder) && !line.trim().startsWith(`${process.pid} `));
}

/** Every request that was answered was answered once. */
function paidOnce(world: EngineWorld): void {
  const answered = world.server.bill.filter((call) => call.answered).map((call) => call.index);
  const bodies = world.server.requests.filter(({ path }) => !path.includes('count_tokens')).map(({ body }) => body);
  expect(new Set(answered.map((index) => bodies[index])).size).toBe(answered.length);
  expect([...world.state.spends.values()].map((row) => row.settled_micro_usd)).toEqual(
    world.server.bill.map((call) => call.microUsd),
  );
}

describe('a pause in the middle of a command', () => {
  test('ends its processes, outlives the owner, and goes on from there: nothing is paid twice', async () => {
    await using world = await inCommand();
    await world.owner.wish('pauseJob', { jobId: world.jobId });
    await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length === 1);
    await world.until('its processes are gone', () => processes(world).length === 0);
    await world.restart();
    expect(world.job).toMatchObject({ status: 'paused', reason: 'paused by you' });
    const requests = world.server.requests.length;
    await world.owner.wish('resumeJob', { jobId: world.jobId });
    await began(world);
    expect(world.server.requests).toHaveLength(requests);
    goOn(world);
    await world.is('completed');
    expect(world.feature('A')).toMatchObject({ retry_count: 0, crash_count: 0 });
    expect(world.attempts('A')).toMatchObject([{ status: 'succeeded' }]);
    expect(world.server.bill).toHaveLength(4);
    paidOnce(world);
  });

  test('does not begin anything new, and takes a second pause', async () => {
    await using world = await inCommand();
    await world.owner.wish('pauseJob', { jobId: world.jobId, reason: 'lunch' });
    await world.owner.wish('pauseJob', { jobId: world.jobId });
    expect(world.job.reason).toBe('lunch');
    goOn(world);
    const { length } = world.server.requests;
    await world.close();
    expect(world.server.requests).toHaveLength(length);
    await world.restart();
  });
});

test('a pause while a verify command runs: it is run again, and the model is not asked again', async () => {
  const scenario = scenarioOf([{ verify: ['sh slow.sh'], features: [{ name: 'A' }] }]);
  await using world = await EngineWorld.open({ scenario, sandbox: true });
  world.userCommits({ 'slow.sh': script(world) });
  await world.submit({ allowedCommands: COMMANDS });
  await began(world);
  await world.owner.wish('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length === 1);
  await world.until('its processes are gone', () => processes(world).length === 0);
  goOn(world);
  await world.owner.wish('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.sent('worker')).toHaveLength(1);
  expect(world.attempts('A')).toMatchObject([{ status: 'succeeded' }]);
  expect(world.git('log', '--format=%s', 'main^2')).toBe('A\nBy the user\nStart');
  paidOnce(world);
});

test('a pause while a feature is reviewed: only the reviewer is asked again', async () => {
  const faults = (request: ServedRequest) =>
    request.index === 2 ? ({ kind: 'stall', afterEvents: 2 } as const) : null;
  await using world = await EngineWorld.open({ faults });
  await world.submit({ reviewEachFeature: true });
  await world.until('the reviewer is asked', () => world.sent('reviewer').length === 1);
  await world.owner.wish('pauseJob', { jobId: world.jobId });
  await world.until('the call is booked', () => world.happened('call_unsettled').length === 1);
  await world.owner.wish('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.sent('worker')).toHaveLength(1);
  expect(world.sent('reviewer')).toHaveLength(3);
  expect(world.attempts('A')).toHaveLength(1);
  expect(world.feature('A').retry_count).toBe(0);
});

test('an owner that ends in the middle of a command leaves a job that goes on', async () => {
  await using world = await inCommand();
  await world.restart();
  expect(processes(world)).toEqual([]);
  expect(world.job.status).toBe('running');
  goOn(world);
  await world.owner.wish('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.feature('A').retry_count).toBe(0);
  paidOnce(world);
});

test('a pause while the model answers: the call is booked, and asked again', async () => {
  await using world = await EngineWorld.open({ faults: { 1: { kind: 'stall', afterEvents: 3 } } });
  await world.submit();
  await world.until('the worker is asked', () => world.sent('worker').length === 1);
  await world.owner.wish('pauseJob', { jobId: world.jobId });
  await world.until('the call is booked', () => world.happened('call_unsettled').length === 1);
  await world.owner.wish('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  const [first, second] = world.sent('worker');
  expect(second?.body).toBe(first?.body);
  expect(world.attempts('A')).toHaveLength(1);
  expect(world.feature('A').retry_count).toBe(0);
});

describe('a cancel in the middle of a command', () => {
  test('ends everything, for good', async () => {
    await using world = await inCommand();
    await world.owner.wish('cancelJob', { jobId: world.jobId, reason: 'no longer wanted' });
    expect(world.job).toMatchObject({ status: 'cancelled', reason: 'no longer wanted' });
    await world.until('its processes are gone', () => processes(world).length === 0);
    const { length } = world.server.requests;
    const resume = world.owner.wish('resumeJob', { jobId: world.jobId });
    await expect(resume).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await world.restart();
    expect(world.job.status).toBe('cancelled');
    expect([...world.state.attempts.values()].map((row) => row.status)).toEqual(['abandoned']);
    expect([...world.state.sessions.values()].filter((row) => row.status === 'running')).toEqual([]);
    expect(world.server.requests).toHaveLength(length);
    expect(world.git('log', '--all', '--format=%s').split('\n')).toEqual(['By the user', 'Start']);
  });
});

test('a clone that somebody deleted parks the job, and says what to do', async () => {
  await using world = await inCommand();
  await world.owner.wish('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length === 1);
  rmSync(world.job.job_dir, { recursive: true, force: true, maxRetries: 5 });
  await world.owner.wish('resumeJob', { jobId: world.jobId });
  const asked = await world.asked('provider');
  expect(asked.subject).toContain('CLONE_MISSING');
  expect(asked.detail).not.toBe('');
  await world.reject('provider', 'Give up.');
  await world.is('failed');
});

describe('a limit', () => {
  test('of the job is asked about before the call leaves; raised, the job goes on', async () => {
    await using world = await EngineWorld.open();
    await world.submit({ budgetMicroUsd: 200_000 });
    const asked = await world.asked('limit');
    const { raiseTo } = limitAskedAbout(asked.subject);
    expect(asked.question).toBe(
      `The job limit is reached. Raise it to $${((raiseTo ?? 0) / 1e6).toFixed(2)} and go on?`,
    );
    expect(world.sent('planner')).toEqual([]);
    expect(world.state.spends.size).toBe(0);
    await world.approve('limit', { choice: 'raise' });
    await world.is('completed');
    expect(world.job.options.budgetMicroUsd).toBe(raiseTo);
    expect(world.feature('A').retry_count).toBe(0);
  });

  test('of the job, however small, is asked about once: one answer lets its calls go on', async () => {
    await using world = await EngineWorld.open();
    await world.submit({ budgetMicroUsd: 30_000 });
    await world.asked('limit');
    await world.approve('limit', { choice: 'raise' });
    await world.is('completed');
    expect([...world.state.approvals.values()].filter(({ kind }) => kind === 'limit')).toHaveLength(1);
  });

  test('of the job that is raised by resuming', async () => {
    await using world = await EngineWorld.open();
    await world.submit({ budgetMicroUsd: 1 });
    await world.asked('limit');
    await world.owner.wish('resumeJob', { jobId: world.jobId, budgetMicroUsd: 9_000_000 });
    await world.is('completed');
  });

  test('of the job that is raised lets it go on; lowered, the question stays', async () => {
    await using world = await EngineWorld.open();
    await world.submit({ budgetMicroUsd: 10 });
    const asked = await world.asked('limit');
    await world.owner.wish('setBudget', { jobId: world.jobId, budgetMicroUsd: 5 });
    expect(world.state.approvals.get(asked.id)?.status).toBe('pending');
    expect(world.job.options.budgetMicroUsd).toBe(5);
    await world.owner.wish('setBudget', { jobId: world.jobId, budgetMicroUsd: 9_000_000 });
    await world.is('completed');
  });

  test('of a paused job that is raised, or taken away, leaves it paused', async () => {
    await using world = await EngineWorld.open();
    await world.submit({ budgetMicroUsd: 10 });
    const asked = await world.asked('limit');
    await world.owner.wish('pauseJob', { jobId: world.jobId });
    await world.owner.wish('setBudget', { jobId: world.jobId, budgetMicroUsd: null });
    expect(world.state.approvals.get(asked.id)?.status).toBe('void');
    expect(world.job.status).toBe('paused');
    expect(world.sent('planner')).toEqual([]);
    await world.owner.wish('resumeJob', { jobId: world.jobId });
    await world.is('completed');
  });

  test('of the job that is not raised pauses it: it goes on once there is money', async () => {
    await using world = await EngineWorld.open();
    await world.submit({ budgetMicroUsd: 1 });
    await world.reject('limit', 'That is all there is.');
    expect((await world.is('paused')).reason).toContain('limit');
    expect(world.sent('planner')).toEqual([]);
    await world.owner.wish('setBudget', { jobId: world.jobId, budgetMicroUsd: null });
    await world.owner.wish('resumeJob', { jobId: world.jobId });
    await world.is('completed');
  });

  test('of the day makes the job wait until midnight', async () => {
    await using world = await EngineWorld.open();
    await world.owner.wish('setLimits', { dayMicroUsd: 1 });
    await world.submit();
    const { wake_at, reason } = await world.is('waiting');
    const today = new Date(world.clock.now());
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
    expect(wake_at).toBe(midnight.toISOString());
    expect(reason).toContain('day');
    expect(world.sent('planner')).toEqual([]);
    // Raised, it goes on by itself.
    await world.owner.wish('setLimits', { dayMicroUsd: null });
    await world.is('completed');
  });

  test('of the day is over at midnight: the job is woken without anybody', async () => {
    const today = new Date();
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate()).getTime();
    // Behind the clock of its worker thread, for which midnight is long past.
    await using world = await EngineWorld.open({ clock: new QuickClock({ now: midnight - 60_000 }) });
    await world.run({ mergeMode: 'branch' });
    await world.submit({ gates: ['plan'] });
    await world.asked('plan');
    await world.owner.wish('setLimits', { dayMicroUsd: 1 });
    await world.approve('plan');
    const { reason } = await world.is('waiting');
    const wanted = Number(/up to \$([\d.]+) wanted/.exec(reason ?? '')?.[1]) * 1e6;
    const spent = world.happened('call_settled').reduce((sum, event) => sum + event.micro_usd, 0);
    // Enough for this call on a new day, not for one more today.
    await world.owner.wish('setLimits', { dayMicroUsd: Math.floor(wanted + spent / 2) });
    const before = world.happened('call_settled').length;
    world.clock.speed = 200;
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
    await using world = await EngineWorld.open();
    await world.submit({ gates: ['plan'] });
    world.owner.follow({
      event: (event) => {
        if (event.type === 'approval_requested') void world.owner.wish('pauseJob', { jobId: world.jobId });
      },
    });
    await world.is('paused');
    await world.close();
    expect([...world.state.approvals.values()].map((row) => row.kind)).toEqual(['plan']);
    await world.restart();
  });

  test('sets a feature aside just when it would begin: nothing is asked, and it is not tried', async () => {
    await using world = await EngineWorld.open({
      scenario: scenarioOf([{ features: [{ name: 'A' }, { name: 'B' }] }]),
    });
    world.owner.follow({
      event: (event) => {
        if (event.type !== 'phase_started') return;
        const { id: featureId } = world.feature('A');
        void world.owner.wish('setFeature', { featureId, status: 'failed', reason: 'not this one' });
      },
    });
    await world.run();
    expect(world.state.approvals.size).toBe(0);
    expect(world.attempts('A')).toEqual([]);
    expect(world.feature('B').status).toBe('completed');
  });
});
