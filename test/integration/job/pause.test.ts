/** A job that is stopped in the middle of something, in real processes and over HTTP. Its limits and pauses otherwise: test/unit/engine/job/actions/limits.test.ts. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitAskedAbout } from '../../../src/core/approval/about.ts';
import { attempt, bash, report, scenarioOf, write } from '../../support/demo/briefs.ts';
import type { ServedRequest } from '../../support/provider/messagesServer.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';
import { assignmentOf } from '../../support/world/jobWorld.ts';

const COMMANDS = [['ls'], ['sh', 'slow.sh']];

/** Says that it began, and waits for `goOn`. */
const script = (world: EngineWorld) =>
  `echo here > began\nwhile [ ! -f ${join(world.folder, 'go')} ]; do sleep 0.05; done\n`;

/** A job whose first worker waits in a command until `goOn`. Unconfined unless `sandbox` asks: that is faster. */
async function inCommand(sandbox = false): Promise<EngineWorld> {
  const slow = attempt(write('A.txt', 'A'), bash('sh slow.sh'), report('done'));
  const world = await EngineWorld.open({
    scenario: scenarioOf([{ features: [{ name: 'A', attempts: [slow] }] }]),
    sandbox,
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

test('an owner that ends, and a pause, in the middle of a command: its processes end, it goes on from there, nothing is paid twice', async () => {
  await using world = await inCommand(true);
  const goesOn = async () => {
    rmSync(join(world.job.clone_dir ?? '', 'began'), { force: true });
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await began(world);
  };
  const requests = world.server.requests.length;
  await world.restart();
  await world.until('the processes end', () => processes(world).length === 0);
  expect(world.job.status).toBe('running');
  await goesOn();

  const interrupted = world.happened('attempt_interrupted').length;
  await world.owner.request('pauseJob', { jobId: world.jobId, reason: 'lunch' });
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length > interrupted);
  await world.until('its processes are gone', () => processes(world).length === 0);
  await world.restart();
  expect(world.job).toMatchObject({ status: 'paused', reason: 'lunch' });
  await goesOn();
  expect(world.server.requests).toHaveLength(requests);

  goOn(world);
  await world.is('completed');
  expect(world.feature('A')).toMatchObject({ retry_count: 0, crash_count: 0 });
  expect(world.attempts('A')).toMatchObject([{ status: 'succeeded' }]);
  expect(world.server.bill).toHaveLength(5);
  paidOnce(world);
});

test('a pause while a verify command runs: it is run again, and the model is not asked again', async () => {
  const scenario = scenarioOf([{ verify: ['sh slow.sh'], features: [{ name: 'A' }] }]);
  await using world = await EngineWorld.open({ scenario });
  // Before any work it passes at once.
  world.userCommits({ 'slow.sh': `[ -f A.txt ] || exit 0\n${script(world)}` });
  await world.submit({ allowedCommands: COMMANDS });
  await began(world);
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length === 1);
  await world.until('its processes are gone', () => processes(world).length === 0);
  goOn(world);
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.sent('worker')).toHaveLength(2);
  expect(world.attempts('A')).toMatchObject([{ status: 'succeeded' }]);
  expect(world.git('log', '--format=%s', 'main^2')).toBe('A\nBy the user\nStart');
  paidOnce(world);
});

test('a limit is asked about before the call leaves; a pause while the model answers books the call, and asks it again', async () => {
  const answers = new Set<string>(['worker', 'reviewer']);
  // The first answer of each breaks off.
  const faults = (request: ServedRequest) =>
    answers.delete(assignmentOf(request)?.role ?? '') ? ({ kind: 'stall', afterEvents: 2 } as const) : null;
  await using world = await EngineWorld.open({ faults });
  // Less than a planner's shortest useful answer may cost.
  await world.submit({ budgetMicroUsd: 50_000, reviewEachFeature: true });
  const { raiseTo } = limitAskedAbout((await world.asked('limit')).subject);
  expect(world.sent('planner')).toEqual([]);
  expect(world.state.spends.size).toBe(0);
  await world.approve('limit', { choice: 'raise' });
  for (const role of ['worker', 'reviewer'] as const) {
    await world.until(`the ${role} is asked`, () => world.sent(role).length === 1);
    const booked = world.happened('call_unsettled').length;
    await world.owner.request('pauseJob', { jobId: world.jobId });
    await world.until('the call is booked', () => world.happened('call_unsettled').length === booked + 1);
    // No limit is what this is about.
    await world.owner.request('setBudget', { jobId: world.jobId, budgetMicroUsd: null });
    await world.owner.request('resumeJob', { jobId: world.jobId });
  }
  await world.is('completed');
  const [first, second, report, ...more] = world.sent('worker');
  expect(second?.body).toBe(first?.body);
  expect(report?.body).toContain('tool_result');
  expect(more).toEqual([]);
  expect(world.sent('reviewer')).toHaveLength(3);
  expect(world.attempts('A')).toHaveLength(1);
  expect(world.feature('A').retry_count).toBe(0);
  expect(raiseTo).toBeGreaterThan(300_000);
});

test('a cancel in the middle of a command ends everything, for good', async () => {
  await using world = await inCommand(true);
  await world.owner.request('cancelJob', { jobId: world.jobId, reason: 'no longer wanted' });
  expect(world.job).toMatchObject({ status: 'cancelled', reason: 'no longer wanted' });
  await world.until('its processes are gone', () => processes(world).length === 0);
  const { length } = world.server.requests;
  const resume = world.owner.request('resumeJob', { jobId: world.jobId });
  await expect(resume).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await world.restart();
  expect(world.job.status).toBe('cancelled');
  expect([...world.state.attempts.values()].map((row) => row.status)).toEqual(['abandoned']);
  expect([...world.state.sessions.values()].filter((row) => row.status === 'running')).toEqual([]);
  expect(world.server.requests).toHaveLength(length);
  expect(world.git('log', '--all', '--format=%s').split('\n')).toEqual(['By the user', 'Start']);
});

test('a clone that was deleted is made again from the git directory: checkpoints stay, setup runs again, nothing is asked', async () => {
  const slow = attempt(write('early.txt', 'kept'), bash('sh slow.sh'), report('done'));
  const scenario = scenarioOf([{ verify: ['cat early.txt'], features: [{ name: 'A', attempts: [slow] }] }]);
  await using world = await EngineWorld.open({ scenario });
  world.userCommits({ 'slow.sh': script(world), '.gitignore': 'deps\nbegan\n', 'setup.sh': 'echo here > deps\n' });
  const allowedCommands = [...COMMANDS, ['cat', 'early.txt'], ['sh', 'setup.sh']];
  await world.submit({ setup: ['sh setup.sh'], allowedCommands });
  await began(world);
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length === 1);
  const clone = world.job.clone_dir ?? '';
  rmSync(clone, { recursive: true, force: true, maxRetries: 5 });
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await began(world);
  expect(existsSync(join(clone, 'deps'))).toBe(true);
  expect(execFileSync('git', ['log', '-1', '--format=%s'], { cwd: clone, encoding: 'utf8' })).toBe('By the user\n');
  goOn(world);
  await world.is('completed');
  expect(world.git('show', 'main:early.txt')).toBe('kept');
  expect(world.happened('setup_finished')).toHaveLength(2);
  expect([...world.state.approvals.values()]).toEqual([]);
  paidOnce(world);
});

test('a clone whose git directory was deleted too pauses the job with a way out, and asks nothing that cannot help', async () => {
  await using world = await inCommand();
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length === 1);
  rmSync(world.job.job_dir, { recursive: true, force: true, maxRetries: 5 });
  for (const times of [2, 3]) {
    await world.owner.request('resumeJob', { jobId: world.jobId });
    await world.until('the job pauses', () => world.happened('job_paused').length === times);
    expect(world.job).toMatchObject({ status: 'paused', reason: expect.stringContaining('autonomous restore') });
  }
  expect([...world.state.approvals.values()]).toEqual([]);
});
