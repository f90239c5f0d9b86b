import { describe, expect, test } from 'vitest';
import type { Demo } from '../../../../src/engine/workspace/workspace.ts';
import {
  masked,
  newestJob,
  terminalWorld,
  type World,
  type WorldOptions,
} from '../../../support/world/terminalWorld.ts';

async function demoWorld(options: WorldOptions = {}, ok = true): Promise<{ world: World; cleaned: () => boolean }> {
  let cleaned = false;
  const demo: Demo = {
    projectDir: '/tmp/demo',
    jobsDir: '/tmp/demo-jobs',
    brief: "Write a stack.\nIt's small.\n",
    scenario: 'stack',
    allowedCommands: [['npm', 'test']],
    answers: (approval) => ({
      decision: approval.kind === 'plan' && approval.subject === 'plan:1' ? 'rejected' : 'approved',
      choice: approval.choices[0] ?? null,
      feedback: approval.kind === 'plan' && approval.subject === 'plan:1' ? 'smaller' : null,
    }),
    check: async () => [
      { command: 'node --test', output: '3 passed\n', ok },
      { command: 'git log --oneline', output: 'abc Write a stack\n', ok: true },
    ],
    cleanUp: async () => {
      cleaned = true;
    },
  };
  const world = await terminalWorld({ ...options, demo: { make: async () => demo } });
  return { world, cleaned: () => cleaned };
}

describe('demo', () => {
  test('plays the steward, checks what was built, and says how to do it for real', async () => {
    const { world, cleaned } = await demoWorld();
    expect(await world.run('demo')).toBe(0);
    expect([...world.store.state.approvals.values()].map((row) => [row.kind, row.status, row.decided_by])).toEqual([
      ['plan', 'rejected', 'demo'],
      ['plan', 'approved', 'demo'],
      ['merge', 'approved', 'demo'],
    ]);
    expect(newestJob(world).options).toMatchObject({
      provider: 'simulated',
      scenario: 'stack',
      allowedCommands: [['npm', 'test']],
    });
    expect(cleaned()).toBe(false);
    await expect(masked(world.out)).toMatchFileSnapshot('golden/demo.txt');
  });

  test('lets an agent of the user do it', async () => {
    const { world } = await demoWorld();
    expect(await world.run('demo', '--executor', 'worker=cline')).toBe(0);
    expect(newestJob(world).options.executors).toEqual({ worker: 'cline' });
  });

  test('removes its repository if you say so, and says that at the start', async () => {
    const { world, cleaned } = await demoWorld();
    expect(await world.run('demo', '--no-keep')).toBe(0);
    expect(cleaned()).toBe(true);
    expect(world.out).toContain('Its sample repository: /tmp/demo (removed at the end)\n');
    expect(world.out).not.toContain('cd /tmp/demo');
  });

  test('fails when what was built does not work', async () => {
    const { world } = await demoWorld({}, false);
    expect(await world.run('demo')).toBe(1);
    expect(world.out).toContain('$ node --test   FAILED\n');
  });

  test('--json has the checks beside the job', async () => {
    const { world } = await demoWorld();
    expect(await world.run('demo', '--json')).toBe(0);
    const last = JSON.parse(world.out.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(last).toMatchObject({
      type: 'job_finished',
      repository: '/tmp/demo',
      job: { simulated: true },
      checks: [{ command: 'node --test', ok: true }, { ok: true }],
    });
  });

  test('--ask leaves the questions to the person, and needs one', async () => {
    const { world, cleaned } = await demoWorld({ tty: true, typed: ['a', 'a', ''] });
    expect(await world.run('demo', '--ask')).toBe(0);
    expect([...world.store.state.approvals.values()].every((row) => row.decided_by === 'steward')).toBe(true);
    expect(world.out).toContain('  cd /tmp/demo\n  autonomous board --project-dir /tmp/demo\n');
    expect(cleaned()).toBe(false);
    const { world: pipe } = await demoWorld();
    expect(await pipe.run('demo', '--ask')).toBe(2);
    expect(pipe.err).toBe('autonomous: --ask needs a terminal to ask at\n');
  });
});
