/** Verify commands that misbehave: the engine comes to a result, and leaves no process behind. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioOf, writes } from '../../support/briefs.ts';
import { EngineWorld } from '../../support/engineWorld.ts';
import { buildWith } from '../../support/plantedBug.ts';

/** The first attempt leaves a script that misbehaves, the second one mends it. */
function twoTries(script: string): Parameters<typeof EngineWorld.open>[0] {
  const attempts = [writes('check.sh', script), writes('check.sh', 'exit 0\n')];
  return {
    scenario: scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts }] }]),
    sandbox: true,
    owner: { verifyTimeoutMs: 800 },
  };
}

function running(words: string): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(words));
}

test('one that hangs is ended in time, and so is what it started', async () => {
  await using world = await EngineWorld.open(twoTries('echo waiting\nsleep 1234.5 &\nsleep 1234.5\n'));
  await world.run();
  const [first] = world.attempts('A');
  expect(first).toMatchObject({ status: 'failed', cause: 'verify_failed' });
  expect(first?.evidence).toMatchObject([{ command: 'sh check.sh', ended: 'timeout' }]);
  expect(first?.feedback).toContain('timeout');
  expect(world.opening('worker', 1)).toContain('waiting');
  expect(running('sleep 1234.5')).toEqual([]);
});

test('one that floods its output keeps the end of it, and is bounded', async () => {
  const flood = 'yes 0123456789012345678901234567890123456789 | head -n 100000\necho the end\nexit 1\n';
  await using world = await EngineWorld.open({ ...twoTries(flood), owner: { verifyTimeoutMs: 10_000 } });
  await world.run();
  const evidence = world.attempts('A')[0]?.evidence[0];
  expect(evidence?.tail.length).toBeLessThanOrEqual(4_000);
  expect(evidence?.tail).toMatch(/the end|0123456789/);
  const kept = readFileSync(join(world.places.stateDir, 'artifacts', evidence?.artifact ?? ''));
  expect(kept.length).toBeLessThan(1_200_000);
  expect(world.opening('worker', 1).length).toBeLessThan(20_000);
});

test('one that leaves a daemon behind ends all the same, without it', async () => {
  const daemon = 'setsid sleep 4321.5 >/dev/null 2>&1 &\necho started\nexit 1\n';
  await using world = await EngineWorld.open(twoTries(daemon));
  await world.run();
  expect(world.attempts('A')[0]?.evidence).toMatchObject([{ exitCode: 1 }]);
  expect(world.opening('worker', 1)).toContain('started');
  await world.until('the daemon is gone', () => running('sleep 4321.5').length === 0);
});

test('one that changes the tree does not change the result', async () => {
  const scribble = 'echo junk > junk.txt; echo more >> A.txt; exit 0\n';
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }, { name: 'B' }] }]);
  await using world = await EngineWorld.open({ scenario, files: { 'check.sh': scribble } });
  await world.run({ batch: 1 });
  expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['A.txt', 'B.txt', 'check.sh']);
  expect(world.git('show', 'main:A.txt')).toBe('A.txt');
});

describe('setup commands', () => {
  const files = { 'setup.sh': 'echo "no such package"\nexit 9\n' };

  test('that fail are asked about; the steward goes on without them', async () => {
    await using world = await EngineWorld.open({ files });
    await world.submit({ setup: ['sh setup.sh'], allowedCommands: [['ls'], ['sh', 'setup.sh']] });
    const asked = await world.approve('setup');
    expect(asked.detail).toContain('no such package');
    expect(world.sent('planner')).toEqual([]);
    await world.is('completed');
  });

  test('that fail and are needed end the job', async () => {
    await using world = await EngineWorld.open({ files });
    await world.submit({ setup: ['sh setup.sh'], allowedCommands: [['sh', 'setup.sh']] });
    await world.reject('setup', 'It cannot do without.');
    expect((await world.is('failed')).reason).toContain('setup');
    expect(world.server.requests).toEqual([]);
  });
});

test('off the list and without a sandbox, a verify command is asked for: refused, nothing counts as verified', async () => {
  const scenario = scenarioOf([{ verify: ['ls -a'], features: [{ name: 'A' }] }]);
  await using world = await EngineWorld.open({ scenario });
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

describe('off the list and without a sandbox', () => {
  /** The second feature rewrites what the words of the first one's yes run. */
  const rewritten = scenarioOf([
    {
      verify: ['sh run.sh'],
      features: [
        { name: 'A', attempts: [writes('run.sh', 'echo first >> ../ran\n')] },
        { name: 'B', after: ['A'], attempts: [writes('run.sh', 'echo second >> ../ran\n')] },
      ],
    },
  ]);
  const ran = ({ job }: EngineWorld): string => readFileSync(join(dirname(job.clone_dir ?? ''), 'ran'), 'utf8');

  test('a yes is for one run: what the same words have come to do is asked for anew, also after a restart', async () => {
    await using world = await EngineWorld.open({ scenario: rewritten });
    await world.submit();
    const { id } = await world.approve('command');
    const again = await world.until('it is asked again', () =>
      [...world.state.approvals.values()].find((row) => row.id !== id && row.status === 'pending'),
    );
    expect(again).toMatchObject({ kind: 'command', subject: 'command:sh run.sh' });
    expect(world.state.approvals.get(id)).toMatchObject({ status: 'void', decided_by: 'steward' });
    expect(world.attempts('A')).toMatchObject([{ status: 'succeeded', evidence: [{ exitCode: 0, sandboxed: false }] }]);
    await world.restart();
    await world.asked('command');
    expect(ran(world)).toBe('first\n');
    await world.approve('command');
    await world.is('completed');
    expect(ran(world)).toBe('first\nsecond\n');
  });

  test('planted: a yes to a text is one to whatever it runs later: is caught', async () => {
    using wrong = await buildWith(
      { file: 'src/engine/commands.ts', find: '      await useUp(context.store, asked);\n', put: '' },
      ['src/worker.ts'],
    );
    await using world = await EngineWorld.open({
      scenario: rewritten,
      owner: { workerScript: wrong.program('worker') },
    });
    await world.submit();
    await world.approve('command');
    await world.is('completed');
    expect(ran(world)).toBe('first\nsecond\n');
  });
});

test('one that calls what is not there is asked about, and uses no retry', async () => {
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A' }] }]);
  await using world = await EngineWorld.open({ scenario, files: { 'check.sh': 'no-such-program\n' } });
  await world.submit();
  const asked = await world.asked('stuck');
  expect(asked.detail).toContain('no-such-program: not found');
  expect(world.feature('A')).toMatchObject({ status: 'pending', retry_count: 0 });
  expect(world.attempts('A')).toMatchObject([
    { status: 'blocked', cause: 'tool_missing', evidence: [{ exitCode: 127 }] },
  ]);
});
