/** The API key: asked for where it lacks, refused where it is revoked, sent as a header and kept in no file. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkScenario } from '../../../src/adapters/simulated/scenario.ts';
import { genericScenario } from '../../../src/adapters/simulated/scenarios/generic.ts';
import { startMessagesServer } from '../../support/messagesServer.ts';
import { approveIn, onlyJob, stateOf, whenAsked, whenState } from '../support/state.ts';
import { type HostWindow, inWindow } from '../support/window.ts';
import { newProject, type Scenario, SETTINGS, type World } from '../support/world.ts';

const REVOKED = 'sk-ant-revoked-0c1e';
const GOOD = 'sk-ant-good-77ab';

async function setKey(window: HostWindow, key: string): Promise<void> {
  await window.press('Set API Key');
  await window.type(key);
  await window.notified(/The API key is stored/);
  await window.command('notifications.clearAll');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function again(window: HostWindow, world: World, project: string): Promise<void> {
  const { id } = await whenAsked(world, project, 'provider');
  await approveIn(window, world, project, id, null);
}

async function keyIsAsked(world: World): Promise<void> {
  const server = await startMessagesServer({ scenario: checkScenario(genericScenario, 'generic'), apiKey: GOOD });
  const settings = join(world.folder, 'user', 'Machine', 'settings.json');
  const before = readFileSync(settings, 'utf8');
  writeFileSync(
    settings,
    JSON.stringify({ ...SETTINGS, 'autonomous.provider': 'anthropic', 'autonomous.baseUrl': server.url }),
  );
  try {
    const project = await newProject(world);
    await inWindow(world, project, async (window) => {
      await window.brief('Write a few notes.');
      await window.notified(/no API key/);
      assert.equal(server.requests.length, 0, 'nothing was sent without a key');
      await setKey(window, REVOKED);
      await again(window, world, project);
      await whenState(world, project, 'the refusal', () => server.requests.length > 0);
      await window.notified(/refused the API key/);
      assert.equal((await stateOf(world, project)).jobs.size, 1);
      await setKey(window, GOOD);
      await again(window, world, project);
      await whenAsked(world, project, 'plan');
    });
    assert.deepEqual([...new Set(server.requests.map(({ headers }) => headers['x-api-key']))], [REVOKED, GOOD]);
    assert.equal(onlyJob(await stateOf(world, project))?.status, 'awaiting_steward');
    for (const file of filesBelow(world.folder)) {
      const text = readFileSync(file, 'latin1');
      assert.ok(!text.includes(REVOKED) && !text.includes(GOOD), file);
    }
  } finally {
    writeFileSync(settings, before);
    await server.close();
  }
}

export const key: readonly Scenario[] = [
  { name: 'no key and a revoked one are told of, a good one reaches the model and no file', body: keyIsAsked },
];
