/** The API key: asked for where it lacks, refused where it is revoked, sent as a header and kept in no file. */
import assert from 'node:assert/strict';
import { loadScenario } from '../../src/app/assets/scenarios.ts';
import { startMessagesServer } from '../support/provider/messagesServer.ts';
import { filesWith } from './files.ts';
import { approveIn, onlyJob, stateOf, whenAsked, whenState } from './state.ts';
import { inWindow, type Place, type World } from './world.ts';

const REVOKED = 'sk-ant-revoked-0c1e';
const GOOD = 'sk-ant-good-77ab';

type Server = Awaited<ReturnType<typeof startMessagesServer>>;

export interface KeyPlace extends Place {
  readonly server: Server;
}

/** With a model server that takes one key alone. */
export async function inWindowWithoutKey(world: World, use: (place: KeyPlace) => Promise<void>): Promise<void> {
  const server = await startMessagesServer({ scenario: await loadScenario('generic'), apiKey: GOOD });
  try {
    const machine = { 'autonomous.provider': 'anthropic', 'autonomous.baseUrl': server.url };
    await inWindow(world, { machine }, (place) => use({ ...place, server }));
  } finally {
    await server.close();
  }
}

async function setKey({ window }: Place, key: string): Promise<void> {
  await window.notifications.press(/API key/, 'Set API Key');
  await window.page.locator('.quick-input-widget input[type=password]').waitFor();
  await window.input.enter(key);
  await window.notifications.saying('The API key is stored');
  await window.door.command('notifications.clearAll');
}

async function again(place: Place): Promise<void> {
  const { id } = await whenAsked(place, 'provider');
  await approveIn(place.window, place, id, null);
}

export async function keyIsAsked(place: KeyPlace): Promise<void> {
  const { window, server, world } = place;
  await window.brief('Write a few notes.');
  await window.notifications.saying('no API key');
  assert.equal(server.requests.length, 0, 'nothing was sent without a key');
  assert.equal((await stateOf(place)).jobs.size, 0, 'nothing was filed without a key');
  await setKey(place, REVOKED);
  await window.door.command('autonomous.startBrief');
  await whenState(place, 'the refusal', () => server.requests.length > 0);
  await window.notifications.saying('refused the API key');
  assert.equal((await stateOf(place)).jobs.size, 1);
  await setKey(place, GOOD);
  await again(place);
  await whenAsked(place, 'plan');
  assert.deepEqual([...new Set(server.requests.map(({ headers }) => headers['x-api-key']))], [REVOKED, GOOD]);
  await whenState(place, 'the job to wait for its answer', (state) => onlyJob(state)?.status === 'awaiting_steward');
  for (const folder of [world.folder, place.vsCode.folder]) assert.deepEqual(filesWith(folder, REVOKED, GOOD), []);
}
