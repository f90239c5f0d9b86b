/** T12: the proxy of setup commands leads to the hosts that were named, and by no trick elsewhere. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findExecutable } from '../../src/adapters/platform/executables.ts';
import type { createCommandRunner } from '../../src/adapters/shell/commandRunner.ts';
import { shellQuote } from '../../src/core/text/shellQuote.ts';
import { type ShellGround, shellGround } from '../support/shell/shell.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';
import { carried, control, led, type Ports } from './sandbox/proxy.ts';

const DIAL = fileURLToPath(new URL('sandbox/dial.ts', import.meta.url));
/** Version 5: a way was agreed on, the login taken, and the request granted; version 4: granted. */
const SOCKS_GRANTS = ['\u0005\u0002\u0001\0\u0005\0', '\u0005\0\u0005\0', '\0Z'];
const registries = { network: 'registries' } as const;
const FETCH = `echo "$npm_config_registry"; curl -sS -m 20 --noproxy '' -f "$npm_config_registry"`;

let registry: Server;
let other: Server;
/** What came to the registry, and whatever came to the other: even one that said nothing. */
const [asked, reached]: [string[], string[]] = [[], []];
let ports: Ports;

async function listen(server: Server): Promise<number> {
  // All addresses of this machine: each spelling of it leads here.
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const answerOf = (request: IncomingMessage): string => `${request.method} ${request.url} ${request.headers.host}`;
  registry = createServer((request, response) => {
    asked.push(answerOf(request));
    if (request.url === '/on') response.writeHead(302, { location: `http://127.0.0.1:${ports.shut}/` });
    response.end('a package');
  });
  other = createServer((_request, response) => response.end('not yours'));
  other.on('connection', (socket) => {
    reached.push('');
    const at = reached.length - 1;
    socket.once('data', (part) => (reached[at] = part.toString('latin1')));
  });
  ports = { open: await listen(registry), shut: await listen(other) };
});
afterAll(() => {
  registry.close();
  other.close();
});

const groundOf = (create?: typeof createCommandRunner, environment: NodeJS.ProcessEnv = {}): ShellGround =>
  shellGround(
    { environment: { ...process.env, npm_config_registry: `http://token:x@127.0.0.1:${ports.open}/`, ...environment } },
    create,
  );

/** What the proxy answered to each of these. */
async function answers(ground: ShellGround, texts: typeof led): Promise<Readonly<Record<string, string>>> {
  const said = Object.fromEntries(Object.entries({ ...texts, control }).map(([name, text]) => [name, text(ports)]));
  const { output } = await ground.run(
    `${shellQuote(process.execPath)} ${shellQuote(DIAL)} ${shellQuote(JSON.stringify(said))}`,
    {
      ...registries,
      timeoutMs: 60_000,
    },
  );
  return JSON.parse(output) as Readonly<Record<string, string>>;
}

/** Who came through. */
async function through(ground: ShellGround): Promise<string[]> {
  for (const list of [asked, reached]) list.splice(0);
  const answer = await answers(ground, { ...led, ...carried });
  const granted = (text: string): boolean =>
    /^HTTP\/1\.[01] 2|not yours/.test(text) || SOCKS_GRANTS.some((bytes) => text.startsWith(bytes));
  return [
    ...Object.keys(led).filter((name) => granted(answer[name] ?? '')),
    ...Object.keys(carried).filter((name) => answer[name]?.includes('not yours')),
    ...reached.map((text) => `came: ${text.split('\r\n')[0]}`),
    ...asked.filter((text) => /forged|nobody/.test(text)),
  ];
}

test('the registry of the user is reached, only when asked for, only by the proxy, and nothing else by any word', async ({
  skip,
}) => {
  const ground = groundOf();
  try {
    skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
    const fetched = await ground.run(FETCH, registries);
    expect(fetched).toMatchObject({ exitCode: 0, output: `http://127.0.0.1:${ports.open}/\na package` });
    const direct = await ground.run(`curl -sS -f -m 5 --noproxy '*' http://127.0.0.1:${ports.open}/`, registries);
    expect(direct.exitCode).not.toBe(0);
    const found = await through(ground);
    expect(asked).toContainEqual(expect.stringMatching(/^GET \//));
    const tried = Object.keys({ ...led, ...carried }).length;
    figure({
      method: 'T12',
      what: 'hostile inputs tried: words to the proxy of a sandbox',
      value: tried,
      unit: '',
      aim: null,
    });
    figure({
      method: 'T12',
      what: 'words to the proxy that led elsewhere',
      value: found.length,
      unit: '',
      aim: { atMost: 0 },
    });
    expect(found).toEqual([]);
  } finally {
    await ground.close();
  }
});

test('a command waits for its way to the registry, however late that opens', async ({ skip }) => {
  const bin = mkdtempSync(join(tmpdir(), 'autonomous-late-'));
  // The library waits 0.3 s by itself.
  const late = `#!/bin/sh\ncase "$1" in TCP*-LISTEN*) sleep 1;; esac\nexec ${findExecutable('socat', process.env['PATH'] ?? '')} "$@"\n`;
  writeFileSync(join(bin, 'socat'), late, { mode: 0o755 });
  const ground = groundOf(undefined, { PATH: [bin, process.env['PATH']].join(delimiter) });
  try {
    skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
    expect(await ground.run(FETCH, registries)).toMatchObject({ exitCode: 0 });
  } finally {
    await ground.close();
    rmSync(bin, { recursive: true, force: true });
  }
});

test('a command without network has nothing of it while another has', async ({ skip }) => {
  const ground = groundOf();
  try {
    skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
    const slow = ground.run('while [ ! -e over ]; do sleep 0.1; done', registries);
    const url = `http://127.0.0.1:${ports.open}/`;
    const ways = ['"$HTTP_PROXY"', 'http://localhost:3128', 'socks5h://localhost:1080'];
    const beside = await ground.run(
      ways.map((way) => `curl -sS -f -m 5 --noproxy '' -x ${way} ${url} && echo GOT`).join('; '),
    );
    expect(beside.output).not.toContain('GOT');
    expect(beside.output).not.toContain('a package');
    writeFileSync(join(ground.clone, 'over'), '');
    expect(await slow).toMatchObject({ ended: null, exitCode: 0 });
  } finally {
    await ground.close();
  }
});

planted('a host that is open is open at every port', async ({ skip }) => {
  const bug = {
    file: 'src/adapters/shell/sandbox/sandboxRuntime.ts',
    find: 'allowedDomains: [...policy.hosts]',
    put: "allowedDomains: policy.hosts.map((host) => host.replace(/:\\d+$/, ''))",
  };
  using built = await buildWith(bug, ['src/adapters/shell/commandRunner.ts']);
  const planted = (await import(built.program('commandRunner').href)) as {
    createCommandRunner: typeof createCommandRunner;
  };
  const ground = groundOf(planted.createCommandRunner);
  try {
    skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
    expect(await through(ground)).toEqual(
      expect.arrayContaining([
        'get by an address',
        'tunnel by an address',
        'SOCKS 5',
        'a name of the list with another port',
      ]),
    );
  } finally {
    await ground.close();
  }
});
