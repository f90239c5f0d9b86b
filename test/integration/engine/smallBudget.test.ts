/** A budget below what the planner's longest answer may cost is enough for a job that costs less. */
import { expect, test } from 'vitest';
import { countedMicroUsd } from '../../../src/core/rows.ts';
import { ONE_FEATURE } from '../../support/briefs.ts';
import { EngineWorld } from '../../support/engineWorld.ts';

test('a job with a budget of $0.25 is done without a question, and never holds more than that', async () => {
  await using world = await EngineWorld.open({ scenario: ONE_FEATURE });
  let most = 0;
  world.owner.follow({
    event: () => {
      const held = [...world.state.spends.values()].reduce((sum, row) => sum + countedMicroUsd(row), 0);
      most = Math.max(most, held);
    },
  });
  await world.run({ budgetMicroUsd: 250_000 });
  expect(world.happened('approval_requested')).toEqual([]);
  const [planned] = world.sent('planner').map(({ body }) => JSON.parse(body) as { max_tokens: number });
  expect(planned?.max_tokens).toBeGreaterThanOrEqual(4_000);
  expect(planned?.max_tokens).toBeLessThan(16_000);
  expect(most).toBeGreaterThan(100_000);
  expect(most).toBeLessThanOrEqual(250_000);
});
