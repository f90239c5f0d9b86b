/** Fetches of tasks against a server on this machine: only what the user listed, by the address that was judged, whole or not at all. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import type { Address } from '../../../src/adapters/httpGet/addresses.ts';
import { httpGetter } from '../../../src/adapters/httpGet/httpGet.ts';
import { json, type Script, type ScriptedServer, scriptedServer } from '../../support/provider/scriptedServer.ts';

let server: ScriptedServer | null = null;
afterEach(async () => server?.[Symbol.asyncDispose]());

const NAMES: Readonly<Record<string, string>> = {
  'intranet.example': '10.1.2.3',
  'metadata.example': '169.254.169.254',
  'rebinds.example': '127.0.0.1',
  'six.example': 'fd00::1',
  'mapped.example': '::ffff:192.168.0.1',
  localhost: '127.0.0.1',
};

async function resolve(name: string): Promise<readonly Address[]> {
  const address = NAMES[name];
  if (address === undefined) throw new Error('ENOTFOUND');
  return [{ address, family: address.includes(':') ? 6 : 4 }];
}

interface Wanted {
  readonly hosts?: readonly string[];
  readonly as?: 'text' | 'json';
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function get(url: string, { hosts = [], ...more }: Wanted = {}) {
  const asked = { headers: {}, maxBytes: 1_000_000, timeoutMs: 20_000, as: 'text', ...more } as const;
  const signal = new AbortController().signal;
  const answer = await httpGetter({ clock: systemClock(), resolve })({ url, allowedHosts: hosts, ...asked }, signal);
  return 'fault' in answer ? answer.fault : answer.body;
}

/** The server's own address is listed, and with `{port}` in a text its port is meant. */
async function serve(...scripts: readonly Script[]) {
  const own = await scriptedServer(...scripts);
  server = own;
  const { host, port } = new URL(own.baseUrl);
  const hosts = [host, `localhost:${port}`];
  return {
    own,
    port,
    hosts,
    ask: (path: string, more: Wanted = {}) => get(`${own.baseUrl}${path}`, { hosts, ...more }),
  };
}

const text =
  (body: string | Buffer, type = 'text/plain; charset=utf-8'): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };
const leadsTo =
  (location: string): Script =>
  (response) => {
    response.writeHead(302, { location });
    response.end();
  };

test('a listed host is asked, by name or address, and its answer is text or JSON', async () => {
  const { ask, own, port, hosts } = await serve(text('grüße'), json(200, { items: [1] }), text('by name'));
  expect(await ask('/a?secret=1', { headers: { accept: 'text/plain' } })).toBe('grüße');
  expect(await ask('/b', { as: 'json' })).toEqual({ items: [1] });
  expect(await get(`http://LOCALHOST:${port}/c`, { hosts })).toBe('by name');
  expect(own.seen.map(({ url, headers }) => [url, headers.accept, headers.host])).toEqual([
    ['/a?secret=1', 'text/plain', `127.0.0.1:${port}`],
    ['/b', '*/*', `127.0.0.1:${port}`],
    ['/c', '*/*', `localhost:${port}`],
  ]);
});

describe('is refused before anything is sent:', () => {
  const hosts = [
    'api.example',
    'intranet.example',
    'metadata.example',
    'rebinds.example',
    'six.example',
    'mapped.example',
  ];
  const refused: readonly (readonly [string, string, RegExp, (readonly string[])?])[] = [
    [
      'a host that nobody listed',
      'https://evil.example/',
      /evil\.example is not among the hosts in autonomous\.tasks\.allowedHosts/,
    ],
    ['anything, where nothing is listed', 'https://api.example/', /not among the hosts/, []],
    ['a listed host at another port', 'https://api.example:8443/', /not among the hosts/],
    ['a host that only begins like a listed one', 'https://api.example.evil.example/', /not among the hosts/],
    ['a listed host before an at sign', 'https://api.example@evil.example/', /must not hold a name/],
    ['a name and a password', 'https://me:secret@api.example/', /must not hold a name/],
    ['another scheme', 'file:///etc/passwd', /only http and https/],
    ['no URL at all', 'api.example', /not a URL/],
    ['a listed host without encryption', 'http://api.example/', /only this machine is asked without encryption/],
    ['a name of the local network', 'https://intranet.example/', /leads to 10\.1\.2\.3, which is no public address/],
    ['a name of what runs the machine', 'https://metadata.example/', /169\.254\.169\.254/],
    ['a name that was public yesterday', 'https://rebinds.example/', /leads to 127\.0\.0\.1/],
    ['a name of the local network, by IPv6', 'https://six.example/', /fd00::1/],
    ['an address inside another', 'https://mapped.example/', /192\.168\.0\.1/],
    ['an address that is not listed', 'http://127.0.0.1:9/', /not among the hosts/],
    ['an address in disguise', 'http://2130706433:9/', /127\.0\.0\.1:9 is not among the hosts/],
    ['a name that does not exist', 'https://api.example/', /cannot be resolved/],
  ];
  test.for(refused)('%s', async ([, url, why, listed = hosts]) => {
    const fault = await get(url, { hosts: listed });
    expect(fault).toMatch(why);
    expect(fault).not.toContain('secret');
  });

  test.each(['Host', 'content-length', 'Transfer-Encoding', 'proxy-authorization', 'x-bad\r\ninjected'])(
    'the header %j',
    async (name) => {
      const { ask, own } = await serve(text('no'));
      expect(await ask('/', { headers: { [name]: '1' } })).toMatch(/header|token/i);
      expect(own.seen).toEqual([]);
    },
  );
});

test('the address that was judged is the one that is asked: a name is resolved once', async () => {
  const { own, port, hosts } = await serve(text('here'));
  const answers = ['127.0.0.1', '10.0.0.1'];
  const changing = async (): Promise<readonly Address[]> => [{ address: answers.shift() ?? '10.0.0.1', family: 4 }];
  const asked = { headers: {}, maxBytes: 100, timeoutMs: 20_000, as: 'text', allowedHosts: hosts } as const;
  const getIt = httpGetter({ clock: systemClock(), resolve: changing });
  const { signal } = new AbortController();
  expect(await getIt({ url: `http://localhost:${port}/`, ...asked }, signal)).toEqual({ body: 'here' });
  expect(answers).toEqual(['10.0.0.1']);
  expect(await getIt({ url: `http://localhost:${port}/`, ...asked }, signal)).toHaveProperty(
    'fault',
    expect.stringContaining('leads to 10.0.0.1, which is not this machine'),
  );
  expect(own.seen).toHaveLength(1);
});

describe('a redirect', () => {
  test('is followed to a listed place, and tells it no header that was meant for another', async () => {
    const { port, ask, own } = await serve(
      (response, request) => leadsTo(`http://localhost:${port}/there`)(response, request),
      text('here'),
    );
    expect(await ask('/', { headers: { authorization: 'Bearer t' } })).toBe('here');
    expect(own.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer t', undefined]);
  });

  const places = [
    'http://169.254.169.254/latest',
    'https://evil.example/',
    'http://[::1]:1/',
    '//evil.example/',
    'file:///etc/passwd',
    'https://',
  ];
  test.each(places)('to %s is not followed', async (place) => {
    const { ask, own } = await serve(leadsTo(place));
    expect(await ask('/')).toMatch(/leads to .* is refused|not a URL/);
    expect(own.seen).toHaveLength(1);
  });

  test('to itself ends', async () => {
    const { ask, own } = await serve(leadsTo('/again'));
    expect(await ask('/')).toMatch(/more than 5 redirects/);
    expect(own.seen).toHaveLength(6);
  });
});

describe('an answer that is no result:', () => {
  /** As much as the other side takes, without end. */
  const flood = (response: ServerResponse): void => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let more = true;
    response.on('close', () => {
      more = false;
    });
    const write = (): void => {
      while (more && response.write(chunk));
    };
    response.on('drain', write);
    write();
  };
  const bad: readonly (readonly [string, Script, RegExp, Wanted?])[] = [
    [
      '50 MB, announced',
      (response) => void response.writeHead(200, { 'content-length': 50e6 }).write('x'),
      /longer than 1000000/,
    ],
    ['without end', flood, /longer than 1000000 bytes/],
    ['one that does not begin', () => undefined, /no whole answer came within 0.2 seconds/, { timeoutMs: 200 }],
    ['one that does not end', (response) => void response.write('a'), /no whole answer/, { timeoutMs: 200 }],
    ['one that breaks off', (response) => void response.write('a', () => response.destroy()), /broke off/],
    ['no JSON', text('<html>'), /is not JSON/, { as: 'json' }],
    ['JSON that no thread could pass on', text('['.repeat(200_000)), /nested deeper than 100 times/, { as: 'json' }],
    ['no text', text(Buffer.from([0xff, 0xd8, 0x00])), /is not text/],
    [
      'another encoding',
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      /not asked for: gzip/,
    ],
    ['not found', json(404, { message: 'no such repository' }), /answered 404 Not Found: .*no such repository/],
  ];
  test.for(bad)('%s', async ([, script, why, more = {}]) => {
    const { ask } = await serve(script);
    expect(await ask('/', more)).toMatch(why);
  });
});

test('whoever stops waiting is not told of it as of a fault', async () => {
  const { own, hosts } = await serve(() => undefined);
  const abort = new AbortController();
  const asked = {
    url: own.baseUrl,
    headers: {},
    maxBytes: 10,
    timeoutMs: 20_000,
    as: 'text',
    allowedHosts: hosts,
  } as const;
  const answer = httpGetter({ clock: systemClock(), resolve })(asked, abort.signal);
  abort.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
});
