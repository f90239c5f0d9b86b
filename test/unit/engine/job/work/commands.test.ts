/** Setup and verify commands that fail or may not run: the steward is asked, and nothing counts as verified that was not. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioOf, writes } from '../../../../support/demo/briefs.ts';
import { approveOneRun } from '../../../../support/world/jobWalks.ts';
import { LoopWorld } from '../../../../support/world/loopWorld.ts';

test('a verify command that changes the tree does not change the result', async () => {
  const scribble = (cwd: string) => {
    for (const name of ['junk.txt', 'A.txt']) writeFileSync(join(cwd, name), 'more\n', { flag: 'a' });
    return { exitCode: 0 };
  };
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }, { name: 'B' }] }]);
  await using world = await LoopWorld.open({ scenario, commands: { 'sh check.sh': scribble } });
  await world.run({ batch: 1 });
  expect(world.git.files('main')).toEqual({ 'A.txt': 'A.txt\n', 'B.txt': 'B.txt\n', 'README.md': 'A program.\n' });
});

test('of a verify command that says very much the next attempt is told the end', async () => {
  const commands = {
    'sh check.sh': (cwd: string) =>
      existsSync(join(cwd, 'good.txt')) ? { exitCode: 0 } : { exitCode: 1, output: `${'x'.repeat(1e6)}the end\n` },
  };
  const attempts = [writes('bad.txt'), writes('good.txt')];
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts }] }]);
  await using world = await LoopWorld.open({ scenario, commands });
  await world.run();
  expect(world.attempts('A')[0]?.evidence[0]?.tail.length).toBeLessThan(4_000);
  expect(world.opening('worker', 1)).toContain('xthe end');
  expect(world.opening('worker', 1).length).toBeLessThan(20_000);
});

describe('setup commands', () => {
  const commands = { 'sh setup.sh': () => ({ exitCode: 9, output: 'no such package\n' }) };

  test('that fail are asked about; the steward goes on without them', async () => {
    await using world = await LoopWorld.open({ commands });
    await world.submit({ setup: ['sh setup.sh'], allowedCommands: [['ls'], ['sh', 'setup.sh']] });
    const asked = await world.approve('setup');
    expect(asked.detail).toContain('no such package');
    expect(world.sent('planner')).toEqual([]);
    await world.is('completed');
  });

  test('that fail and are needed end the job', async () => {
    await using world = await LoopWorld.open({ commands });
    await world.submit({ setup: ['sh setup.sh'], allowedCommands: [['sh', 'setup.sh']] });
    await world.reject('setup', 'It cannot do without.');
    expect((await world.is('failed')).reason).toContain('setup');
    expect(world.requests).toEqual([]);
  });
});

describe('off the list and without a sandbox', () => {
  test('a verify command is asked for: refused, nothing counts as verified', async () => {
    const scenario = scenarioOf([{ verify: ['ls -a'], features: [{ name: 'A' }] }]);
    await using world = await LoopWorld.open({ scenario });
    await world.submit();
    const asked = await world.asked('command');
    expect(asked).toMatchObject({ subject: 'command:ls -a', detail: 'ls -a' });
    await world.reject('command', 'No.');
    expect((await world.asked('stuck')).question).toContain('cannot be verified without running `ls -a`');
    expect(world.feature('A')).toMatchObject({ status: 'pending', retry_count: 0 });
    await world.reject('stuck', 'Then not.');
    await world.until('it is given up', () => world.feature('A').status === 'failed');
    expect(world.attempts('A').map((row) => row.status)).toEqual(['blocked']);
  });

  test('a yes is for one run: what the same words have come to do is asked for anew', async () => {
    const scenario = scenarioOf([{ verify: ['sh run.sh'], features: [{ name: 'A' }, { name: 'B', after: ['A'] }] }]);
    let runs = 0;
    await using world = await LoopWorld.open({ scenario, commands: { 'sh run.sh': () => ({ exitCode: 0 * ++runs }) } });
    await approveOneRun(world);
    expect(runs).toBe(1);
    await world.approve('command');
    // The result in a fresh checkout.
    await world.until('it is asked a third time', () => runs === 2 && world.job.status === 'awaiting_steward');
    await world.approve('command');
    await world.is('completed');
    expect(runs).toBe(3);
  });
});

test('a command that is refused for the fresh checkout pauses the job, and is asked about again', async () => {
  const scenario = scenarioOf([{ verify: ['sh run.sh'], features: [{ name: 'A' }] }]);
  await using world = await LoopWorld.open({ scenario });
  await world.submit();
  await world.approve('command');
  await world.until('it is for the fresh checkout', () => world.feature('A').status === 'completed');
  await world.reject('command', 'No.');
  expect((await world.asked('stuck')).question).toContain('cannot be verified without running `sh run.sh`');
  await world.reject('stuck', 'Not now.');
  await world.is('paused');
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.approve('command');
  await world.is('completed');
  expect(world.happened('phase_rejected')).toEqual([]);
});

test('a verify command that calls what is not there is asked about, and uses no retry', async () => {
  const commands = { 'sh check.sh': () => ({ exitCode: 127, output: 'check.sh: 1: no-such-program: not found\n' }) };
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }] }]);
  await using world = await LoopWorld.open({ scenario, commands });
  await world.submit();
  const asked = await world.asked('stuck');
  expect(asked.detail).toContain('no-such-program: not found');
  expect(world.feature('A')).toMatchObject({ status: 'pending', retry_count: 0 });
  expect(world.attempts('A')).toMatchObject([
    { status: 'blocked', cause: 'tool_missing', evidence: [{ exitCode: 127 }] },
  ]);
});
