/** A job whose provider names no price, from brief to merge: calls and tokens bound it. */
import { expect, test } from 'vitest';
import { simulatedProvider } from '../../../src/adapters/simulated/provider.ts';
import { unpricedUse } from '../../../src/core/money/price/unpriced.ts';
import type { Provider } from '../../../src/engine/session/gatewayPorts.ts';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { QuickClock } from '../../support/time/quickClock.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

function open(): Promise<EngineWorld> {
  const clock = new QuickClock();
  const provider: Provider = { ...simulatedProvider({ scenario: ONE_FEATURE, clock, delayMs: 0 }), name: 'vscode-lm' };
  return EngineWorld.open({ clock, owner: { providers: { 'vscode-lm': provider } } });
}

test('it is not filed without its limits', async () => {
  await using world = await open();
  await expect(world.submit({ provider: 'vscode-lm' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(world.state.jobs.size).toBe(0);
});

test('it asks when its calls are used up, goes on with twice as many, and costs nothing', async () => {
  await using world = await open();
  const models = { worker: 'test/fake-1' };
  await world.submit({ provider: 'vscode-lm', unpricedLimits: { calls: 2, tokens: 1e9 }, models });
  expect((await world.asked('limit')).question).toBe('The calls limit is reached. Raise it to 4 calls and continue?');
  await world.approve('limit', { choice: 'raise' });
  await world.until('the limit is raised', () => world.happened('job_options_changed').length > 0);
  expect(world.job.options.unpricedLimits).toEqual({ calls: 4, tokens: 1e9 });
  const over = (): boolean => world.job.status === 'completed';
  const asks = (): boolean =>
    [...world.state.approvals.values()].some(({ kind, status }) => kind === 'limit' && status === 'pending');
  for (let asked = 1; !over(); asked++) {
    if (asked > 5) throw new Error('it asks forever');
    await world.until('it asks again or is done', () => asks() || over());
    if (!over()) await world.approve('limit', { choice: 'raise' });
  }
  const spends = [...world.state.spends.values()];
  expect(
    spends.every((row) => row.provider === 'vscode-lm' && row.reserved_micro_usd === 0 && row.settled_micro_usd === 0),
  ).toBe(true);
  expect(spends.some(({ model }) => model === 'test/fake-1')).toBe(true);
  expect(unpricedUse(world.state, world.jobId, 'vscode-lm').tokens).toBeGreaterThan(0);
  expect(world.server.requests).toEqual([]);
});
