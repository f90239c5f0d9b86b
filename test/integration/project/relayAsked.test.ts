/** What may concern another project, on the real owner: the steward is asked, the owner ends before it is answered, and the word still arrives. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScenario } from '../../../src/app/assets/scenarios.ts';
import { pendingApprovals } from '../../../src/core/approval/stewardship.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const FINDING = 'The app will not find its orders any more: the list is paged now.';

const SCENARIO = {
  projects: {
    api: {
      replies: [
        {
          when: 'look',
          turns: [{ calls: [{ tool: 'notify', input: { text: FINDING } }] }, { text: 'Reported.' }],
        },
      ],
    },
  },
};

test('a finding that names nobody as concerned waits for the steward, over the end of the owner', async () => {
  await using world = await EngineWorld.open();
  const scenario = join(world.folder, 'talk.json');
  writeFileSync(scenario, JSON.stringify({ ...(await loadScenario('generic')), ...SCENARIO }));
  for (const name of ['api', 'app']) {
    await world.owner.request('createProject', { name, goal: 'x', provider: 'simulated', scenario });
  }
  await world.owner.request('sendMessage', { project: 'api', text: 'Look at what changes.' });
  const asked = await world.until('the steward is asked', () => pendingApprovals(world.state)[0]);
  expect(asked).toMatchObject({ kind: 'relay', project_id: 'api', detail: FINDING, choices: ['app', 'nobody'] });

  await world.restart();
  await world.owner.request('decide', { approvalId: asked.id, decision: 'approved', choice: 'app' });
  const told = await world.until('it is passed on', () =>
    [...world.state.messages.values()].find(({ relayed_from }) => relayed_from !== null),
  );
  expect(told).toMatchObject({ project_id: 'app', direction: 'in', sender: 'project', text: FINDING });
  await world.until('it is heard', () => world.state.messages.get(told.id)?.read_at != null);
});
