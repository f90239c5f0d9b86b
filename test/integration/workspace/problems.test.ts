import { expect, test } from 'vitest';
import { becomeClient } from '../../../src/app/open/client.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('what cannot be written is told to whoever follows: the owner itself, and its clients', async () => {
  // A folder where the database should be: the work goes on without one.
  await using world = await EngineWorld.open({ files: { '.autonomous/features.db/x': 'in the way' } });
  const told: string[] = [];
  world.owner.follow({ problem: (text) => told.push(text) });
  const client = await becomeClient(world.ownerOptions);
  const heard: string[] = [];
  client.follow({ problem: (text) => heard.push(text) });
  await world.run();
  await world.until('it is told', () => heard.some((text) => text.includes('features.db: it cannot be written')));
  expect(told).toContainEqual(expect.stringContaining('features.db: it cannot be written'));
  expect(world.owner.problems).toEqual(told);
  await world.until('the client knows the end', () => client.state.jobs.get(world.jobId)?.status === 'completed');
  await client.close();
});
