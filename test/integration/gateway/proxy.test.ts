/** The model behind the proxy of a company, which inspects TLS: by the variables that curl and git take, without a flag. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { proxiedFetch } from '../../../src/adapters/gateway/wire/envProxy.ts';
import { anthropicProvider } from '../../../src/adapters/gateway/wire/messagesWire.ts';
import type { AutonomousError } from '../../../src/shared/errors.ts';
import { CRASH_BRIEF, oneFile } from '../../support/crash/crashScenario.ts';
import { terminalProcess } from '../../support/process/terminalProcess.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { DEAD_ADDRESS } from '../../support/provider/deadAddress.ts';
import { CA_FILE, CLIENT, INSPECTED_HOST, inspectingProxy } from '../../support/provider/inspectingProxy.ts';
import { startWireServer } from '../../support/provider/wireServer.ts';

const programs = await testPrograms(inject('tempRoot'));
const BASE = `https://${INSPECTED_HOST}`;

test.each(['HTTPS_PROXY', 'https_proxy'])(
  'a run of the program goes through %s, and trusts a CA of its own',
  async (name) => {
    await using proxy = await inspectingProxy();
    await using world = await terminalProcess(programs, {
      scenario: oneFile,
      env: (url) => {
        proxy.target = url;
        const address = proxy.url.replace('//', '//user:secret@');
        return { ANTHROPIC_BASE_URL: BASE, [name]: address, NODE_EXTRA_CA_CERTS: CA_FILE };
      },
    });
    const { code, stderr } = await world.cli('plan', CRASH_BRIEF, '--no-setup').exit;
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    const basic = `Basic ${Buffer.from('user:secret').toString('base64')}`;
    expect(new Set(proxy.connects.map(({ to }) => to))).toEqual(new Set([`${INSPECTED_HOST}:443`]));
    expect(new Set(proxy.connects.map(({ authorization }) => authorization))).toEqual(new Set([basic]));
    const shown = await world.cli('plan', 'show').exit;
    expect(shown.stdout).toContain('Write one.');
  },
);

/** `--model` with a connection of each wire, through the proxy of the company. */
const OVER = [
  ['messages', '', 'x-api-key'],
  ['chat', '/v1', 'bearer'],
  ['responses', '/v1', 'bearer'],
  ['gemini', '/v1beta', 'x-goog-api-key'],
] as const;

test.each(OVER)(
  'the %s wire of a connection goes through the proxy too, with a client certificate',
  async (wire, prefix, auth) => {
    await using proxy = await inspectingProxy({ wantsClient: true });
    const other = wire === 'messages' ? null : await startWireServer({ wire, scenario: oneFile, apiKey: 'test-key' });
    await using world = await terminalProcess(programs, {
      scenario: oneFile,
      env: (url) => {
        proxy.target = other?.baseUrl ?? url;
        return { TEAM_KEY: 'test-key', HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: CA_FILE };
      },
    });
    const add = (...more: string[]) =>
      world.cli(
        ...['models', 'add', 'team', '--wire', wire, '--base-url', BASE + prefix, '--auth', auth],
        ...['--key-env', 'TEAM_KEY', '--price', 'claude-opus-5-5=4/20', ...more],
      ).exit;
    expect(await add()).toMatchObject({ code: 0, stderr: '' });
    const refused = await world.cli('models', 'check', 'team').exit;
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('cannot be reached')]);
    expect(await add('--client-cert', CLIENT.cert, '--client-key', CLIENT.key)).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await world.cli('plan', '--model', 'team/claude-opus-5-5', CRASH_BRIEF, '--no-setup').exit;
    await other?.close();
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(new Set(proxy.connects.map(({ to }) => to))).toEqual(new Set([`${INSPECTED_HOST}:443`]));
    const shown = await world.cli('plan', 'show').exit;
    expect(shown.stdout).toContain('Write one.');
  },
);

test('a client certificate that cannot be used is named, and nothing is sent', async () => {
  await using world = await terminalProcess(programs, { scenario: oneFile, env: () => ({ TEAM_KEY: 'test-key' }) });
  const key = join(inject('tempRoot'), 'replaced.key.pem');
  copyFileSync(CLIENT.key, key);
  const add = (...more: string[]) => world.cli('models', 'add', 'team', ...more).exit;
  const files = ['--client-cert', CLIENT.cert, '--client-key', key];
  await add('--preset', 'gateway', '--base-url', BASE, '--key-env', 'TEAM_KEY', ...files);
  copyFileSync(CA_FILE, key);
  expect(await add('--free')).toMatchObject({ stderr: expect.stringContaining(`${key} is not a key in PEM`) });
  const checked = await world.cli('models', 'check', 'team').exit;
  expect([checked.code, checked.stdout]).toEqual([
    1,
    expect.stringContaining('the client certificate of the connection team'),
  ]);
});

/** Sends one request with these variables; its failure. */
async function failed(env: Readonly<Record<string, string>>, baseUrl = BASE): Promise<AutonomousError> {
  const provider = anthropicProvider({ baseUrl, key: async () => 'sk-ant-test', proxy: proxiedFetch(env) });
  const request = { sessionId: 1, method: 'POST', path: '/v1/messages', headers: {}, body: '{}' } as const;
  return provider.send(request, new AbortController().signal).then(
    () => Promise.reject(new Error('it was answered')),
    (thrown: AutonomousError) => thrown,
  );
}

test('a certificate of an unknown CA is named, with what to set', async () => {
  await using proxy = await inspectingProxy();
  const { message, hint, details } = await failed({ HTTPS_PROXY: proxy.url });
  expect(message).toContain('not trusted (TLS)');
  expect(hint).toContain('NODE_EXTRA_CA_CERTS');
  expect(details).toMatchObject({ sent: false });
});

test.each([
  [407, 'status 407', 'http://user:password@'],
  [403, 'status 403', 'NO_PROXY'],
])('a proxy that refuses with %i is named, and nothing was sent', async (status, words, todo) => {
  await using proxy = await inspectingProxy();
  proxy.status = status;
  const { code, message, hint, details } = await failed({ HTTPS_PROXY: proxy.url });
  expect(code).toBe('MODEL_UNAVAILABLE');
  expect(message).toContain(`the proxy in HTTPS_PROXY refused to connect to the server (${words})`);
  expect(hint).toContain(todo);
  expect(details).toEqual({ sent: false, reason: `PROXY_${status}` });
});

test('a proxy that is down or no URL is told from the server', async () => {
  const down = await failed({ HTTPS_PROXY: `http://${DEAD_ADDRESS}` });
  expect(down.hint).toContain('Check that the proxy can be reached');
  expect(down.details).toMatchObject({ sent: false, reason: 'ECONNREFUSED' });
  const unusable = await failed({ HTTPS_PROXY: 'no proxy' });
  expect(unusable.message).toContain('HTTPS_PROXY is not the URL of an HTTP proxy');
});

test('what NO_PROXY lists, and this machine, is reached without the proxy', async () => {
  await using proxy = await inspectingProxy();
  for (const NO_PROXY of [INSPECTED_HOST, '.test', '*'])
    expect((await failed({ HTTPS_PROXY: proxy.url, NO_PROXY })).details).toMatchObject({ sent: false });
  const here = await failed({ HTTPS_PROXY: proxy.url }, `http://${DEAD_ADDRESS}`);
  expect(here.details).toMatchObject({ reason: 'ECONNREFUSED' });
  expect(proxy.connects).toEqual([]);
});

test('without a proxy in the environment nothing is changed', () => {
  expect(proxiedFetch({ HTTPS_PROXY: '', HTTP_PROXY: 'http://proxy:1', NO_PROXY: '*' })).toBeNull();
});
