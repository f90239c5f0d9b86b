/** A maintainer gets one commit per feature, also where a review or a check asked for more: on real git. */
import { expect, test } from 'vitest';
import { jobFeatures } from '../../../src/core/state/rows.ts';
import { approves, attempt, rejects, report, scenarioOf, write, writes } from '../../support/demo/briefs.ts';
import { plainGit } from '../../support/git/gitFixture.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const done = report('done');
const fix = (path: string, content: string, said: string) =>
  attempt(write(path, content), { ...done, input: { ...done.input, summary: said } });

test('fixes are part of the commit of their feature, with the tree that was verified', async () => {
  const scenario = scenarioOf(
    [
      {
        features: [
          {
            name: 'A',
            attempts: [fix('A.txt', 'one\n', 'Made A.'), fix('A.txt', 'two\n', 'Made A, and corrected it.')],
          },
          { name: 'B', attempts: [writes('B.txt')] },
        ],
        reviews: [rejects('A is wrong.', ['A']), rejects('B needs more.'), approves],
      },
    ],
    {
      otherwise: {
        feature: { attempts: [writes('B.txt', 'more\n')], reviews: [approves] },
        phase: { reviews: [approves], summaries: ['Done.'] },
      },
    },
  );
  await using world = await EngineWorld.open({ scenario });
  await world.submit({ gates: ['merge'] });
  const asked = await world.asked('merge');
  const [verified] = world.happened('result_verified');
  const [a, b, fixed] = jobFeatures(world.state, world.jobId);
  expect(asked.commit).toBe(verified?.folded?.head);
  expect(world.job).toMatchObject({ head: asked.commit, verified: asked.commit });
  expect(verified?.commit).not.toBe(asked.commit);
  const clone = world.job.clone_dir ?? '';
  expect(plainGit(clone, ['rev-parse', 'HEAD']).trim()).toBe(asked.commit);
  expect(plainGit(clone, ['status', '--porcelain'])).toBe('');
  await world.approve('merge');
  await world.is('completed');
  const log = world.git('log', '--reverse', '--format=%H %s', 'main^1..main^2').split('\n');
  expect(log).toEqual([`${a?.commit} A`, `${b?.commit} B`]);
  expect(fixed?.commit).toBe(b?.commit);
  expect(world.git('show', `${a?.commit}:A.txt`)).toBe('two');
  expect(world.git('show', `${b?.commit}:B.txt`)).toBe('more');
  // The newest report covers the feature. A fix is reported beside it.
  expect(world.git('log', '-1', '--format=%b', a?.commit ?? '')).toMatch(
    /^Made A, and corrected it\.\n\nAutonomous-Job/,
  );
  const trailers = '--format=%(trailers:key=Autonomous-Feature,valueonly,separator=%x2C)';
  expect(world.git('log', '-1', trailers, b?.commit ?? '')).toBe(`${b?.id},${fixed?.id}`);
});
