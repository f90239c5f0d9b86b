/**
 * Verify commands in real processes. What their ends lead to: test/unit/engine/job/work/commands.test.ts; floods, daemons and storms:
 * test/integration/shell.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scenarioOf, writes } from '../../support/demo/briefs.ts';
import { planted } from '../../support/suite/planted.ts';
import { buildWith } from '../../support/suite/plantedBug.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';
import { approveOneRun } from '../../support/world/jobWalks.ts';

function running(words: string): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(words));
}

test('one that hangs is ended in time, with all that it started, and its end is told to the next attempt', async () => {
  const nap = `sleep 1234.${randomInt(1e6, 1e7)}`;
  const hangs = `echo waiting\n${nap} &\nsetsid ${nap} >/dev/null 2>&1 &\n${nap}\n`;
  const attempts = [writes('check.sh', hangs), writes('check.sh', 'exit 0\n')];
  await using world = await EngineWorld.open({
    scenario: scenarioOf([{ verify: ['sh check.sh'], features: [{ name: 'A', attempts }] }]),
    sandbox: true,
    // Long enough for a slow machine to get to its first line.
    owner: { verifyTimeoutMs: 10_000 },
  });
  await world.submit();
  await world.until('it is tried again', () => world.sent('worker').length === 3);
  const [first] = world.attempts('A');
  expect(first).toMatchObject({ status: 'failed', cause: 'verify_failed' });
  expect(first?.evidence).toMatchObject([{ command: 'sh check.sh', ended: 'timeout' }]);
  expect(first?.feedback).toContain('timeout');
  expect(world.opening('worker', 1)).toContain('waiting');
  await world.until('nothing of it runs', () => running(nap).length === 0);
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
    await approveOneRun(world);
    await world.restart();
    await world.asked('command');
    expect(ran(world)).toBe('first\n');
    await world.approve('command');
    // Once more for the result, in a fresh checkout.
    await world.approve('command');
    await world.is('completed');
    expect(ran(world)).toBe('first\nsecond\n');
  });

  planted('a yes to a text is one to whatever it runs later', async () => {
    using wrong = await buildWith(
      { file: 'src/engine/job/work/commands.ts', find: '      await useUp(context.store, asked);\n', put: '' },
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
