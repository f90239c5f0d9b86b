/** A loop that failed between two features, and the one that continues in the same process. */
import { expect, test } from 'vitest';
import { answersOf } from '../../../../../src/core/state/rows.ts';
import { failure } from '../../../../../src/shared/errors.ts';
import { scenarioOf } from '../../../../support/demo/briefs.ts';
import { LoopWorld } from '../../../../support/world/loopWorld.ts';

test('the conversation between the two is ended: only that of the next feature is shown as running', async () => {
  const scenario = scenarioOf([{ features: [{ name: 'A' }, { name: 'B' }] }]);
  await using world = await LoopWorld.open({ scenario });
  const { followHead } = world.git;
  let hasFailed = false;
  world.git.followHead = async (...words) => {
    if (!hasFailed && world.feature('A').status === 'completed') {
      hasFailed = true;
      throw failure('DISK', 'the disk is full');
    }
    return followHead.apply(world.git, words);
  };
  const running: (readonly number[])[] = [];
  world.owner.follow({
    event: ({ type }) => {
      const sessions = [...world.state.sessions.values()];
      if (type === 'attempt_started')
        running.push(sessions.filter(({ status }) => status === 'running').map(({ id }) => id));
    },
  });
  await world.submit({});
  await world.until('the disk is full', () => world.failures.length > 0);
  await world.owner.request('resumeJob', { jobId: world.job.id });
  await world.is('completed');
  const [first, second] = ['A', 'B'].map((name) => world.attempts(name)[0]?.session_id);
  expect(first).not.toBe(second);
  expect(running.slice(0, 2)).toEqual([[first], [second]]);
  const turns = world.state.sessions.get(first ?? 0)?.turns;
  expect(turns).toBe(answersOf(world.state, first ?? 0));
  expect(turns).toBeGreaterThan(0);
});
