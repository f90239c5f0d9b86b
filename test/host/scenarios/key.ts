/** The API key: asked for where it lacks, refused where it is revoked, sent as a header and kept in no file. */
import assert from 'node:assert/strict';
import { checkScenario } from '../../../src/adapters/simulated/scenario.ts';
import { genericScenario } from '../../../src/adapters/simulated/scenarios/generic.ts';
import { startMessagesServer } from '../../support/messagesServer.ts';
import { filesWith } from '../support/files.ts';
import { approveIn, onlyJob, stateOf, whenAsked, whenState } from '../support/state.ts';
import { type HostWindow, inWindow } from '../support/window.ts';
import { newFolder, newProject, type Scenario, serve, type World } from '../support/world.ts';

const REVOKED = 'sk-ant-revoked-0c1e';
const GOOD = 'sk-ant-good-77ab';

async function setKey(window: HostWindow, key: string): Promise<void> {
  await window.press('Set API Key');
  await window.page.locator('.quick-input-widget input[type=password]').waitFor();
  await window.type(key);
  await window.notified(/The API key is stored/);
  await window.command('notifications.clearAll');
}

async function again(window: HostWindow, world: World, project: string): Promise<void> {
  const { id } = await whenAsked(world, project, 'provider');
  await approveIn(window, world, project, id, null);
}

/** In a VS Code of its own: the provider is a setting of the machine, which all windows of a server share. */
async function keyIsAsked(shared: World): Promise<void> {
  const server = await startMessagesServer({ scenario: checkScenario(genericScenario, 'generic'), apiKey: GOOD });
  const folder = newFolder(shared, 'key');
  const settings = { 'autonomous.provider': 'anthropic', 'autonomous.baseUrl': server.url };
  const own = await serve(shared.editor, folder, { settings });
  try {
    const world: World = { ...shared, folder, url: own.url, env: own.env };
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
    assert.deepEqual(filesWith(folder, REVOKED, GOOD), []);
  } finally {
    await own.stop();
    await server.close();
  }
}

export const key: readonly Scenario[] = [
  { name: 'no key and a revoked one are told of, a good one reaches the model and no file', body: keyIsAsked },
];
