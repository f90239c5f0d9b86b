/** The effort of a role, from the brief to the requests of its sessions, and in what is reserved for them. */
import { expect, test } from 'vitest';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a chosen effort is in every request of its role and in no other, and its room for thinking is reserved', async () => {
  await using world = await EngineWorld.open({ scenario: ONE_FEATURE });
  await world.run({ effort: { worker: 'xhigh' } });
  const asked = (role: 'planner' | 'worker' | 'reviewer') =>
    world.sent(role).map(({ body }) => {
      const { output_config, max_tokens } = JSON.parse(body);
      return { effort: output_config?.effort ?? null, max_tokens };
    });
  expect(asked('worker').length).toBeGreaterThan(1);
  expect(new Set(asked('worker').map((one) => JSON.stringify(one)))).toEqual(
    new Set(['{"effort":"xhigh","max_tokens":48000}']),
  );
  for (const { effort } of [...asked('planner'), ...asked('reviewer')]) expect(effort).toBeNull();
  const reserved = [...world.state.spends.values()].filter(({ role }) => role === 'worker');
  // 48,000 tokens of output at 10 USD a million.
  for (const { reserved_micro_usd } of reserved) expect(reserved_micro_usd).toBeGreaterThan(480_000);
});
