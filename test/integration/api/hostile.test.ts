/** Whatever reaches the port: strangers, other pages, requests that are too large, too slow, too many, or not what they seem. */
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { EVENTS_PATH } from '../../../src/adapters/http/live/events.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';
import { type ApiWorld, type Asked, apiWorld, TASKS, TOKEN, turnedAway } from '../../support/world/apiWorld.ts';

const PAGE = 'https://example.org';

const until = (socket: Socket): Promise<string> => {
  let said = '';
  socket.on('data', (data) => {
    said += data.toString();
  });
  return new Promise((resolve) => socket.once('close', () => resolve(said)));
};

const refusals: readonly (readonly [what: string, method: string, path: string, asked: Asked, status: number])[] = [
  ['no token', 'GET', TASKS, { headers: { authorization: undefined } }, 401],
  ["another workspace's token", 'GET', TASKS, { headers: { authorization: `Bearer ${'j'.repeat(43)}` } }, 401],
  ['the beginning of the token', 'GET', TASKS, { headers: { authorization: `Bearer ${TOKEN.slice(1)}` } }, 401],
  ['another scheme', 'GET', TASKS, { headers: { authorization: `Basic ${TOKEN}` } }, 401],
  ['the token in the address', 'GET', `${TASKS}?token=${TOKEN}`, { headers: { authorization: undefined } }, 401],
  ['the token as a cookie', 'GET', TASKS, { headers: { authorization: undefined, cookie: `token=${TOKEN}` } }, 401],
  ['a name bound anew', 'GET', TASKS, { headers: { host: 'rebind.example:80' } }, 403],
  ['our address with another port', 'GET', TASKS, { headers: { host: '127.0.0.1:1' } }, 403],
  ['our name within another', 'GET', TASKS, { headers: { host: 'localhost.example:80' } }, 403],
  ['a page elsewhere', 'GET', TASKS, { headers: { origin: 'https://evil.example' } }, 403],
  ['a page of no origin', 'GET', TASKS, { headers: { origin: 'null' } }, 403],
  ['a page elsewhere, asking first', 'OPTIONS', TASKS, { headers: { origin: 'https://evil.example' } }, 403],
  ['a page elsewhere, of the health', 'GET', '/healthz', { headers: { origin: 'https://evil.example' } }, 403],
  ['a form of a page', 'POST', TASKS, { headers: { 'content-type': 'text/plain' }, body: '{"name":"x"}' }, 415],
  ['a body that is encoded', 'POST', TASKS, { headers: { 'content-encoding': 'gzip' }, body: '{"name":"x"}' }, 415],
  ['no JSON', 'POST', TASKS, { body: '{"name":' }, 400],
  ['a list of nothing but lists', 'POST', TASKS, { body: '['.repeat(1_000_000) }, 400],
  ['fields that are not known', 'POST', TASKS, { body: { name: 'x', createdBy: 'main' } }, 400],
  [
    '10,000 steps',
    'POST',
    TASKS,
    { body: { name: 'x', steps: Array(10_000).fill({ name: 'a', action: 'wait' }) } },
    400,
  ],
  [
    'a brief without gates',
    'POST',
    TASKS,
    {
      body: { name: 'x', start: true, steps: [{ name: 'a', action: 'run_brief', params: { brief: 'x', gates: [] } }] },
    },
    403,
  ],
  [
    'money for a job',
    'POST',
    TASKS,
    { body: { name: 'x', steps: [{ name: 'a', action: 'run_brief', params: { brief: 'x', budgetUsd: 900 } }] } },
    403,
  ],
  ['a limit of minus one', 'GET', `${TASKS}?limit=-1`, {}, 400],
  ['one thing said twice', 'GET', `${TASKS}?limit=1&limit=2`, {}, 400],
  ['a cursor of nobody', 'GET', `${TASKS}?cursor=abc`, {}, 400],
  ['a way up', 'GET', `${TASKS}/../../../etc/passwd`, {}, 404],
  ['a way up, encoded', 'GET', `${TASKS}/%2e%2e%2f%2e%2e%2fetc%2fpasswd`, {}, 404],
  ['an object’s own names', 'GET', `${TASKS}/__proto__`, {}, 404],
  ['no name at all', 'GET', `${TASKS}/%00`, {}, 404],
  ['another path', 'GET', '/admin', {}, 404],
  ['another method', 'DELETE', `${TASKS}/task-1`, {}, 405],
  ['a method for one path of two', 'POST', `${TASKS}/active`, {}, 405],
  ['an upgrade that is none', 'GET', EVENTS_PATH, {}, 404],
];

test('is refused with what is wrong and what to do, and changes nothing', async () => {
  await using world = await apiWorld();
  const before = world.store.state.meta.last_seq;
  for (const [what, method, path, asked, status] of refusals) {
    const answer = await world.ask(method, path, asked);
    expect([what, answer.status]).toEqual([what, status]);
    expect(answer.json.error.message, what).toMatch(/\w/);
    expect(JSON.stringify([answer.json, answer.headers]), what).not.toContain(TOKEN);
    expect(answer.headers['access-control-allow-origin'], what).toBeUndefined();
  }
  expect(world.store.state.meta.last_seq).toBe(before);
  expect(world.faults).toEqual([]);
});

test('says all that is wrong with a body, by the form that was meant', async () => {
  await using world = await apiWorld();
  const body = { name: '', maxParallel: 0, steps: [{ name: 'a', action: 'fly' }, { name: 'b' }] };
  const { json } = await world.ask('POST', TASKS, { body });
  expect(json.error.problems.map((problem: string) => problem.split(':')[0])).toEqual([
    'name',
    'maxParallel',
    'steps.0.action',
    'steps.1.action',
  ]);
  const templated = await world.ask('POST', TASKS, { body: { template: 'x', parametres: {} } });
  expect(templated.json.error.problems).toEqual([expect.stringContaining('parametres')]);
});

test('refuses 100 MB before they are sent, and stops reading what has no length at 4 MB', async () => {
  await using world = await apiWorld();
  const head = `POST ${TASKS} HTTP/1.1\r\nHost: 127.0.0.1:${world.api.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
  const asking = await world.say(`${head}Content-Length: 104857600\r\nExpect: 100-continue\r\n\r\n`);
  const refused = await until(asking);
  expect(refused).toMatch(/^HTTP\/1\.1 413 /);
  expect(refused).not.toContain('100 Continue');

  const endless = await world.say(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  const answered = until(endless);
  // One chunk more than is read, and no end. Whatever is sent after the answer could be reset, and the answer with it.
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  for (let sent = 0; sent <= 4 * 1024 * 1024; sent += 65_536) endless.write(chunk);
  expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
});

test('takes a body that comes in parts', async () => {
  await using world = await apiWorld();
  const whole = await world.say(
    `POST ${TASKS} HTTP/1.1\r\nHost: localhost:${world.api.port}\r\nAuthorization: bearer ${TOKEN}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"name":\r\n6\r\n"Über\r\n2\r\n"}\r\n0\r\n\r\n`,
  );
  expect(await until(whole)).toMatch(/^HTTP\/1\.1 201 .*"name":"Über"/s);
});

test('cuts off who says a request byte by byte, while others are served', async () => {
  await using world = await apiWorld({ limits: { headersMs: 2_000, requestMs: 4_000 } });
  const slow = await world.say(`GET ${TASKS} HTTP/1.1\r\nHost: 127.0.0.1`);
  const ended = until(slow);
  const drip = setInterval(() => slow.write('x'), 100);
  const body = await world.say(
    `POST ${TASKS} HTTP/1.1\r\nHost: 127.0.0.1:${world.api.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
  );
  const bodyEnded = until(body);
  const silent = until(await world.say(''));
  expect((await world.ask('GET', TASKS)).status).toBe(200);
  expect(await ended).toMatch(/408/);
  clearInterval(drip);
  await Promise.all([bodyEnded, silent]);
  expect((await world.ask('GET', TASKS)).status).toBe(200);
});

test('holds the number of requests a second, of connections and of listeners', async () => {
  await using world = await apiWorld({ limits: { requestsPerSecond: 0.5 }, clock: new FakeClock() });
  expect((await world.ask('GET', TASKS)).status).toBe(200);
  expect((await world.ask('GET', TASKS)).status).toBe(429);
  expect((await world.ask('GET', TASKS, { headers: { authorization: undefined } })).status).toBe(401);
  await using full = await apiWorld({ limits: { listeners: 0, connections: 3 } });
  expect(await turnedAway(full.listen())).toBe(429);
  const held = await Promise.all([1, 2, 3].map(() => full.say('')));
  const more = connect(full.api.port, '127.0.0.1');
  more.on('error', () => more.destroy());
  expect(await until(more)).toBe('');
  for (const socket of held) socket.destroy();
});

test('lets a page ask whose origin is allowed, and no other', async () => {
  await using world = await apiWorld({ origins: [PAGE] });
  const asked = await world.ask('OPTIONS', TASKS, {
    headers: { origin: PAGE, authorization: undefined, 'access-control-request-method': 'POST' },
  });
  expect(asked.status).toBe(204);
  expect(asked.headers['access-control-allow-origin']).toBe(PAGE);
  expect(asked.headers['access-control-allow-credentials']).toBeUndefined();
  const told = await world.ask('GET', TASKS, { headers: { origin: PAGE } });
  expect([told.status, told.headers['access-control-allow-origin']]).toEqual([200, PAGE]);
  expect((await world.ask('GET', TASKS, { headers: { origin: PAGE, authorization: undefined } })).status).toBe(401);
  expect((await world.ask('GET', TASKS, { headers: { origin: `${PAGE}.evil` } })).status).toBe(403);
});

test('gives pages of a list without a double or a gap, whatever comes or goes meanwhile', async () => {
  await using world = await apiWorld();
  const make = async (name: string): Promise<string> => (await world.ask('POST', TASKS, { body: { name } })).json.id;
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await make(name));
  const first = await page(world, '?limit=2');
  await make('new');
  await world.store.commit({ type: 'task_removed', task_id: first.ids[1] ?? '', by: 'steward' });
  const second = await page(world, `?limit=2&cursor=${first.nextCursor}`);
  const third = await page(world, `?limit=2&cursor=${second.nextCursor}`);
  expect([...first.ids, ...second.ids, ...third.ids].sort()).toEqual(ids.sort());
  expect(third.nextCursor).toBeNull();
});

async function page(world: ApiWorld, query: string): Promise<{ ids: string[]; nextCursor: string | null }> {
  const { json } = await world.ask('GET', `${TASKS}${query}`);
  return { ids: json.tasks.map((task: { id: string }) => task.id), nextCursor: json.nextCursor };
}
