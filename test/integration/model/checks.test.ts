/** `models check`, `add` and `refresh` against real servers: what a server shows is stated, and what it does not show is not. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { knownConnections } from '../../../src/adapters/userData/knownConnections.ts';
import { keepList, keptLists } from '../../../src/adapters/userData/modelLists.ts';
import { openConnections } from '../../../src/app/open/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../../src/app/open/readOnlyWorkspace.ts';
import { addConnection, removeConnection } from '../../../src/app/workspace/model/changeConnections.ts';
import { checkConnection } from '../../../src/app/workspace/model/checkConnection.ts';
import { refreshModels } from '../../../src/app/workspace/model/refreshModels.ts';
import { asFailure } from '../../../src/shared/errors.ts';
import type { NewConnection } from '../../../src/shared/model/connections.ts';
import { CA_FILE, CLIENT } from '../../support/provider/inspectingProxy.ts';
import { type SeenRequest, scriptedServer } from '../../support/provider/scriptedServer.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';

type Answer = (response: ServerResponse, request: SeenRequest) => void;

const ELSEWHERE = 'https://llm.example';

const LISTED = JSON.stringify({ data: [{ id: 'model-1', context_length: 200_000 }, { id: 'model-2' }] });
const list: Answer = (response) => response.end(LISTED);
const withKey: Answer = (response, { headers }) => {
  response.statusCode = headers.authorization === 'Bearer sk-right' ? 200 : 401;
  response.end(response.statusCode === 200 ? LISTED : '{"error":{"type":"authentication_error","message":"bad key"}}');
};
const status =
  (code: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);

/** Lists its models once. */
const once = (): Answer => {
  let asked = 0;
  return (response, { url }) => {
    if (url !== '/') asked++;
    response.writeHead(asked > 1 ? 429 : 200).end(LISTED);
  };
};
const keyOr =
  (page: string): Answer =>
  (response, { headers }) =>
    response.end(headers.authorization === undefined ? page : LISTED);

/** A user's configuration with one connection, `team`, to a server that answers so. */
async function world(answer: Answer, entry: Partial<NewConnection> = {}, key = 'sk-right') {
  const server = await scriptedServer(answer);
  const configDir = mkdtempSync(join(inject('tempRoot'), 'config-'));
  const clock = new FakeClock();
  const env = { TEAM_KEY: key };
  const seen = { places: { configDir }, clock, env } as unknown as ReadOnlyWorkspace;
  addConnection(seen, 'team', { preset: 'gateway', baseUrl: server.baseUrl, keyEnv: 'TEAM_KEY', ...entry });
  // Servers of this machine are checked for the model that they have loaded, so some tests name another host.
  const proxy: typeof fetch = (url, init) => fetch(String(url).replace(ELSEWHERE, server.baseUrl), init);
  const book = openConnections({ configDir, env, clock, proxy });
  return {
    server,
    clock,
    seen,
    configDir,
    entry: () => knownConnections(configDir).connections['team'],
    check: async (name: string) =>
      (await checkConnection(seen, book, name)).map(
        ({ name, ok, isUnknown, detail, fix }) =>
          `${isUnknown ? 'unknown' : ok ? 'ok' : 'FAILED'} ${name}: ${detail} | ${fix}`,
      ),
    refresh: () => refreshModels(seen, book, 'team', false),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('a server that takes the right key alone confirms it, and its list the model', async () => {
  await using at = await world(withKey, { baseUrl: ELSEWHERE });
  expect(await at.check('team/model-1')).toEqual([
    expect.stringMatching(/^ok key: sent as bearer to llm\.example, which accepts it/),
    expect.stringMatching(/^ok server: https:/),
    expect.stringMatching(/^ok model: the server lists it/),
    expect.stringMatching(/^ok price: none is known/),
    expect.stringMatching(/^unknown context: not known .* --window "model-1=TOKENS"$/),
    expect.stringMatching(/^unknown tools: /),
  ]);
});

test('a model that is not in the list is asked back', async () => {
  await using at = await world(withKey, { baseUrl: ELSEWHERE });
  const [, , model] = await at.check('team/model1');
  expect(model).toBe('unknown model: the server does not list it | Did you mean team/model-1?');
});

test.each<[string, Answer, string, string]>([
  ['lists its models without a key', list, 'unknown key', 'the server lists its models without one'],
  ['has no list', status(404), 'unknown key', 'the server has no list of its models'],
  ['refuses the key', withKey, 'FAILED key', 'the server refused the key (HTTP 401: authentication_error: bad key)'],
  [
    'wants a header',
    status(403, '{"error":{"type":"forbidden","message":"X-Team header missing"}}'),
    'FAILED key',
    'X-Team header missing) | The key may lack a permission, or the server wants a header',
  ],
  ['fails', status(500, 'oh no'), 'FAILED server', 'answered the request for its models with HTTP 500: oh no'],
  [
    'redirects',
    status(302, '', { location: 'https://login.example/sign-in' }),
    'FAILED server',
    'the server redirects to https://login.example/sign-in, and redirects are not followed',
  ],
  ['shows a page', status(200, '<html>'), 'FAILED server', 'answered the request for its models with something else'],
])('a server that %s', async (_, answer, what, words) => {
  await using at = await world(answer, {}, 'sk-wrong');
  const found = await at.check('team');
  expect(found.find((line) => line.startsWith(what))).toContain(words);
  expect(found.filter((line) => line.startsWith('ok key'))).toEqual([]);
  expect(found.join()).not.toContain('which accepts it');
  expect(found.join('\n')).not.toContain('sk-wrong');
});

test.each<[string, Answer, string]>([
  ['only once', once(), 'the server does not show whether it needs one'],
  ['with a page of its own without a key', keyOr('<html>Sign in</html>'), 'the server lists its models without one'],
])('a server that answers %s does not confirm the key', async (_, answer, words) => {
  await using at = await world(answer);
  expect((await at.check('team')).join()).toContain(words);
});

test('a server that wants a key, where none was named, is answered with the command that names one', async () => {
  await using at = await world(withKey, { keyEnv: undefined, auth: 'none' });
  expect((await at.check('team')).join()).toMatch(
    /FAILED key: the server wants a key .* models add team --auth bearer --key-env VARIABLE/,
  );
});

test('an error of the server does not show the values of headers, however short they are', async () => {
  const echo: Answer = (response, { headers }) => response.writeHead(403).end(JSON.stringify(headers));
  await using at = await world(echo, { headers: { 'X-Pass': 'pass1234' } }, 'hunter2');
  const found = (await at.check('team')).join();
  expect(found).toContain('[secret: known]');
  expect(found).not.toMatch(/pass1234|hunter2/);
});

test('an answer that breaks off, and one without end, are named', async () => {
  const cut: Answer = (response) =>
    response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
  await using at = await world((response, request) => (request.url === '/' ? response.end() : cut(response, request)));
  expect((await at.check('team')).join()).toContain('the connection was lost in the middle of an answer');
  await using large = await world((response, { url }) => {
    response.end(url === '/' ? '' : 'x'.repeat(9 * 1024 * 1024));
  });
  expect((await large.check('team')).join()).toContain('answered the request for its models with more than 8 MiB');
});

test('a list that leaves a price out does not let the next one look new', async () => {
  let price: string | null = '0.00001';
  await using at = await world((response) => {
    const models = price === null ? [] : [{ id: 'm', pricing: { prompt: price, completion: price } }];
    response.end(JSON.stringify({ data: [{ id: 'other' }, ...models] }));
  });
  await at.refresh();
  price = null;
  expect((await at.refresh()).changes).toEqual([{ model: 'm', before: [10, 10], now: null, isLower: true }]);
  price = '0.000001';
  expect((await at.refresh()).changes).toEqual([{ model: 'm', before: [10, 10], now: [1, 1], isLower: true }]);
  expect(at.entry()?.listed?.models['m']?.tiers).toMatchObject([{ input: 10 }]);
});

test('an entry with a fault is not changed, and comments stay', async () => {
  await using at = await world(list);
  const file = join(at.configDir, 'connections.yaml');
  writeFileSync(file, 'team:\n  preset: gateway\n  free: "yes"\n', { mode: 0o600 });
  expect(() => addConnection(at.seen, 'team', { free: true })).toThrow('connections.yaml line 3: team: free: ');
  const text = [
    'team:',
    '  preset: gateway # of the company',
    '  baseUrl: https://llm.example # address of prod',
    '  prices:',
    '    # negotiated',
    '    a: { input: 1, output: 2, cacheRead: 0.1 }',
    '',
  ].join('\n');
  writeFileSync(file, text, { mode: 0o600 });
  const changed = addConnection(at.seen, 'team', { keyCommand: 'print-key', prices: { b: { input: 3, output: 4 } } });
  expect(changed).toMatchObject({ change: 'changed', kept: ['preset', 'baseUrl', 'prices a'], dropped: [] });
  const written = readFileSync(file, 'utf8');
  for (const line of text.trimEnd().split('\n')) expect(written).toContain(line);
  expect(addConnection(at.seen, 'team', { prices: { a: { input: 5, output: 6 } } }).dropped).toEqual([
    'the price of a',
  ]);
  expect(addConnection(at.seen, 'team', {})).toMatchObject({ change: 'unchanged' });
  writeFileSync(file, 'team: [\n', { mode: 0o600 });
  expect(() => addConnection(at.seen, 'other', { preset: 'ollama' })).toThrow('connections.yaml line');
  expect(() => removeConnection(at.seen, 'team')).toThrow('connections.yaml is not valid');
});

test('a list that cannot be read is not called missing', async () => {
  await using at = await world(status(500, 'oh no'));
  await expect(at.refresh()).rejects.toThrow('HTTP 500: oh no');
  await using silent = await world((response, { url }) => {
    if (url === '/') response.end();
    else silent.clock.advance(10_000);
  });
  await expect(silent.refresh()).rejects.toThrow('the server did not list its models within 10 s');
  await using none = await world(status(404));
  await expect(none.refresh()).rejects.toThrow('the server of team does not list its models');
});

test('a stated context is used, and one that is too small is refused', async () => {
  await using at = await world(withKey, { baseUrl: ELSEWHERE, windows: { 'model-2': 8_000, big: 64_000 } });
  expect((await at.check('team/model-2')).join()).toContain(
    'FAILED context: 8000 tokens, as stated; 16000 are needed | If it has more: autonomous models add team --window',
  );
  expect((await at.check('team/big')).join()).toContain('ok context: 64000 tokens, as stated');
});

test('adding one that exists changes what is given, and states what is as before', async () => {
  await using at = await world(list, { headers: { 'X-Team': 'payments' }, prices: { a: { input: 1, output: 2 } } });
  const changed = addConnection(at.seen, 'team', { keyCommand: 'print-key', headers: { 'X-Cost': '7' } });
  expect([changed.change, changed.kept]).toEqual([
    'changed',
    ['preset', 'baseUrl', 'keyEnv', 'prices', 'headers X-Team'],
  ]);
  expect(at.entry()).toMatchObject({
    keyCommand: 'print-key',
    keyEnv: 'TEAM_KEY',
    headers: { 'X-Team': 'payments', 'X-Cost': '7' },
    prices: { a: [{ input: 1, output: 2 }] },
  });
  const other = addConnection(at.seen, 'team', { preset: 'ollama' });
  expect([other.change, other.kept]).toEqual(['replaced', []]);
  expect(at.entry()).toMatchObject({ baseUrl: 'http://127.0.0.1:11434', headers: {}, prices: {}, keyEnv: null });
});

test('a local server that does not run, or has no model, is named with its commands', async () => {
  await using at = await world(status(200, '{"object":"list","data":null}'), { preset: 'ollama', auth: 'none' });
  expect((await at.check('team/qwen3')).join()).toContain('It has none. To load it: ollama pull qwen3');
  await at.server[Symbol.asyncDispose]();
  expect((await at.check('team/qwen3')).join()).toMatch(
    /^ok key: not needed.*FAILED server: .*refuses connections.*Start it: ollama serve\. If it has another address: autonomous models add team --base-url URL/,
  );
});

test('files of a client certificate are judged before anything is written, each by its name', async () => {
  await using at = await world(list);
  const text = join(at.configDir, 'text.pem');
  writeFileSync(text, 'no certificate');
  const refusal = (clientCert: string, clientKey: string): string => {
    try {
      addConnection(at.seen, 'mutual', { preset: 'gateway', baseUrl: ELSEWHERE, clientCert, clientKey });
      return 'taken';
    } catch (thrown) {
      return asFailure(thrown).message;
    }
  };
  expect(refusal('/none.pem', CLIENT.key)).toContain('/none.pem cannot be read (ENOENT)');
  expect(refusal(text, CLIENT.key)).toContain('text.pem is not a certificate in PEM');
  expect(refusal(CLIENT.cert, text)).toContain('text.pem is not a key in PEM');
  expect(refusal(CA_FILE, CLIENT.key)).toContain(`${CLIENT.key} is not the key of ${CA_FILE}`);
  expect(readFileSync(join(at.configDir, 'connections.yaml'), 'utf8')).not.toContain('mutual');
  expect(refusal(CLIENT.cert, CLIENT.key)).toBe('taken');
});

test('a removed connection leaves no list of prices', async () => {
  await using at = await world(list);
  await at.refresh();
  const day = '2026-11-28';
  keepList(at.configDir, 'teams@llm.example', { day, models: {} });
  expect(Object.keys(keptLists(at.configDir))).toHaveLength(2);
  removeConnection(at.seen, 'team');
  expect(Object.keys(keptLists(at.configDir))).toEqual(['teams@llm.example']);
});
