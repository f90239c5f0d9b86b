/** What people do while jobs are under way, in real threads. More of it, and what a worker says without doing it: test/unit/engine/job/meanwhile.test.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { need } from '../../../src/core/state/rows.ts';
import { attempt, bash, report, scenarioOf, write, writes } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';
import { setAsideWhilePaused } from '../../support/world/jobWalks.ts';

describe('two jobs at once', () => {
  test('both are merged, the later one on top of the earlier one', async () => {
    const wait = bash('sh slow.sh');
    const scenario = scenarioOf([
      { features: [{ name: 'A', attempts: [attempt(wait, write('{{featureId}}.txt', 'A'), report('done'))] }] },
    ]);
    await using world = await EngineWorld.open({ scenario });
    const go = join(world.folder, 'go');
    world.userCommits({ 'slow.sh': `while [ ! -f ${go} ]; do sleep 0.05; done\n` });
    const jobs: string[] = [];
    for (const brief of ['First.', 'Second.']) {
      await world.submit({ brief, allowedCommands: [['ls'], ['sh', 'slow.sh']] });
      jobs.push(world.jobId);
    }
    await world.until('both work', () => world.happened('attempt_started').length === 2);
    writeFileSync(go, '');
    for (const id of jobs)
      await world.until('it is completed', () => need(world.state, 'jobs', id).status === 'completed');
    expect(world.git('log', '--format=%s', '--first-parent', 'main').split('\n')).toEqual([
      expect.stringMatching(/^Merge /),
      expect.stringMatching(/^Merge /),
      'By the user',
      'Start',
    ]);
    expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['1.txt', '2.txt', 'README.md', 'slow.sh']);
    expect(world.git('status', '--porcelain')).toBe('');
    expect(world.happened('base_merged')).toHaveLength(1);
  });
});

describe('by hand', () => {
  /** The worker of A waits in a command. */
  async function waiting(): Promise<{ world: EngineWorld; goOn: () => void }> {
    const slow = attempt(bash('sh slow.sh'), write('A.txt', 'A'), report('done'));
    const scenario = scenarioOf([{ features: [{ name: 'A', attempts: [slow, writes('A.txt')] }, { name: 'B' }] }]);
    const world = await EngineWorld.open({ scenario });
    const go = join(world.folder, 'go');
    world.userCommits({ 'slow.sh': `while [ ! -f ${go} ]; do sleep 0.05; done\n` });
    await world.submit({ allowedCommands: [['ls'], ['sh', 'slow.sh']] });
    await world.until('the command runs', () => world.lives.some((line) => line.text.includes('slow.sh')));
    return { world, goOn: () => writeFileSync(go, '') };
  }

  test('a feature under way is not touched; with the job paused it is, and the rest goes on', async () => {
    const { world, goOn } = await waiting();
    await using _ = world;
    await setAsideWhilePaused(world, goOn);
    expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(['B.txt', 'README.md', 'slow.sh']);
  });
});
