/** What failed is done again, over real commands and commits. When, and with what: test/unit/engine/retries.test.ts. */
import { expect, test } from 'vitest';
import { approves, rejects, scenarioOf, writes } from '../../support/briefs.ts';
import { EngineWorld } from '../../support/engineWorld.ts';

const CHECK = {
  'check.sh': 'if [ -f good.txt ]; then exit 0; fi\ncat half.txt\necho "good.txt is not there"\nexit 3\n',
};

test('a failed attempt is gone on from in a session of its own, a batch shares one, and a rejected feature is done again', async () => {
  const scenario = scenarioOf([
    {
      verify: ['sh check.sh'],
      features: [
        { name: 'A', attempts: [writes('half.txt', 'half\n'), writes('good.txt')] },
        { name: 'B', attempts: [writes('B.txt', 'one\n'), writes('B.txt', 'two\n')] },
        { name: 'C' },
      ],
      reviews: [rejects('Say two.', ['B']), approves],
    },
  ]);
  await using world = await EngineWorld.open({ scenario, files: CHECK });
  await world.run({ batch: 2 });
  const [failed, succeeded] = world.attempts('A');
  expect(failed).toMatchObject({ status: 'failed', cause: 'verify_failed' });
  expect(failed?.evidence).toMatchObject([{ command: 'sh check.sh', exitCode: 3, ended: null }]);
  expect(world.opening('worker', 1, 'A')).toMatch(/exit code 3.*half\ngood\.txt is not there/s);
  expect(world.feature('A')).toMatchObject({ status: 'completed', retry_count: 1 });
  const sessionsOf = (name: string) => world.attempts(name).map((row) => row.session_id);
  expect(failed?.session_id).not.toBe(succeeded?.session_id);
  expect(sessionsOf('B')[0]).toBe(succeeded?.session_id);
  expect(sessionsOf('C')).not.toContain(succeeded?.session_id);
  expect(world.attempts('B')).toHaveLength(2);
  expect(world.opening('worker', 1, 'B')).toContain('Say two.');
  expect(world.git('show', 'main:B.txt')).toBe('two');
  expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual([
    'B.txt',
    'C.txt',
    'check.sh',
    'good.txt',
    'half.txt',
  ]);
  expect(world.git('log', '--format=%s', 'main^2').split('\n')).toEqual(['B', 'C', 'B', 'A', 'Start']);
});
