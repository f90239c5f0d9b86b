/**
 * A connection to a company's gateway behind the company's proxy, which inspects TLS: added and checked, its model chosen from the list, and a
 * brief answered by it alone.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadScenario } from '../../src/app/assets/scenarios.ts';
import { INSPECTED_HOST, type InspectingProxy, inspectingProxy } from '../support/provider/inspectingProxy.ts';
import { startMessagesServer } from '../support/provider/messagesServer.ts';
import { filesWith } from './files.ts';
import { pictures } from './pictures.ts';
import { onlyJob, stateOf, whenAsked } from './state.ts';
import { inWindow, type Place, type World } from './world.ts';

const TEAM_KEY = 'team-key-of-a-gateway-31f7';
const MODEL = 'team/claude-opus-5-5';

type Server = Awaited<ReturnType<typeof startMessagesServer>>;

export interface GatewayPlace extends Place {
  readonly server: Server;
  readonly proxy: InspectingProxy;
}

/** With a gateway behind the proxy of the editor's settings, and no key for Anthropic. */
export async function inWindowWithGateway(world: World, use: (place: GatewayPlace) => Promise<void>): Promise<void> {
  const server = await startMessagesServer({ scenario: await loadScenario('generic'), apiKey: TEAM_KEY });
  await using proxy = await inspectingProxy();
  proxy.target = server.url;
  const machine = { 'autonomous.provider': 'anthropic' };
  const user = {
    'http.proxy': proxy.url,
    // Else the editor trusts the certificates of the system alone, and not those of NODE_EXTRA_CA_CERTS.
    'http.systemCertificates': false,
    'telemetry.telemetryLevel': 'off',
  };
  try {
    await inWindow(world, { machine, user }, (place) => use({ ...place, server, proxy }));
  } finally {
    await server.close();
  }
}

export async function connectionIsAddedAndUsed(place: GatewayPlace): Promise<void> {
  const { window, server, proxy, world } = place;
  const picture = pictures(world, window);
  const added = window.door.command('autonomous.addConnection');
  // It is awaited below; a failure before must not be hidden by the end of the window.
  added.catch(() => undefined);
  await window.input.row('A company gateway').waitFor();
  await picture.take('model-presets', window.input.box);
  await window.input.pick('A company gateway');
  await window.input.answer('Name of the connection', 'team');
  await window.input.answer('Address of', `https://${INSPECTED_HOST}`);
  await window.input.answer('Key for', TEAM_KEY);
  await window.notifications.press(/The connection team works/, 'Choose Models…');
  await window.input.pick('All roles');
  await window.input.row(MODEL).waitFor();
  await picture.take('model-list', window.input.box);
  await window.input.pick(MODEL);
  await window.notifications.saying(`New jobs use ${MODEL}`);
  await added;

  await window.brief('Write a few notes.');
  await whenAsked(place, 'plan');
  const job = onlyJob(await stateOf(place));
  assert.deepEqual([...new Set(Object.values(job?.options.models ?? {}))], [MODEL]);
  const calls = server.requests.filter(({ path }) => path.startsWith('/v1/messages'));
  assert.ok(calls.length > 1, 'the gateway was asked');
  assert.deepEqual([...new Set(calls.map(({ headers }) => headers.authorization))], [`Bearer ${TEAM_KEY}`]);
  assert.ok(proxy.connects.length > 0, 'the proxy was used');
  assert.ok(job?.options.terms?.[MODEL]?.tiers, 'the job has the price of its model');
  const file = await readFile(join(place.vsCode.home, '.config', 'autonomous', 'connections.yaml'), 'utf8');
  assert.ok(file.includes('preset: gateway') && !file.includes(TEAM_KEY));
  for (const folder of [world.folder, place.vsCode.folder]) assert.deepEqual(filesWith(folder, TEAM_KEY), []);
}
