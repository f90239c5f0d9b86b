/** The status block of the main agent. */
import { expect, test } from 'vitest';
import { standingText } from '../../../../src/engine/main/standing.ts';
import { mainAgentWorld } from '../../../support/world/mainAgentWorld.ts';

test('a job that no process works on is marked, and how the steward resumes it', async () => {
  const { state, world, call } = await mainAgentWorld();
  await call('submit_brief', { brief: 'Write a stack' });
  const [job] = state.jobs.values();
  if (job === undefined) throw new Error('no job');
  const still = `no process works on it now, the steward resumes it: autonomous run --resume ${job.id}`;
  expect(standingText(state, world.clock, [])).toContain(still);
  expect(standingText(state, world.clock, [job.id])).not.toContain('no process');
});
