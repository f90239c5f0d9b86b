/** What commands find on the machine is looked at once per job, in the sandbox, and is in the log. */
import { expect, test } from 'vitest';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('a job looks once which tools its commands find, and gives all sessions the answer', async () => {
  await using world = await EngineWorld.open({ sandbox: 'needed' });
  await world.run({ mergeMode: 'branch' });
  const { machine } = world.job;
  expect(world.happened('clone_made')).toMatchObject([{ machine }]);
  expect(machine?.sandboxed).toBe(true);
  expect(machine?.tools.find(({ name }) => name === 'git')?.version).toMatch(/^\d+\.\d+/);
  for (const role of ['planner', 'worker', 'reviewer'] as const) {
    const body = world.sent(role)[0]?.body;
    expect(body).toContain('# Machine and limits\\n- ');
    expect(body).toContain(`Commands run in ${machine?.shell}.`);
    expect(body).toContain('Commands run in a sandbox without network.');
  }
});
