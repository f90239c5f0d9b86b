import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../src/adapters/ipc/address.ts';
import { connect } from '../../../src/adapters/ipc/client.ts';
import { CLIENT_FRAME_BYTES } from '../../../src/adapters/ipc/frames.ts';
import { makeRuntimeDir } from '../../../src/adapters/ipc/ownFolder.ts';
import { isOwnerAlive, probe } from '../../../src/adapters/ipc/probe.ts';
import { listen } from '../../../src/adapters/ipc/server.ts';
import { MAX_BRIEF_BYTES } from '../../../src/engine/state/api.ts';
import { failure, findFailure } from '../../../src/shared/errors.ts';
import { clock, fast, ipcTest, standing, stateDir, until } from '../../support/state/ipcTest.ts';
import { planted } from '../../support/suite/planted.ts';
import { buildWith } from '../../support/suite/plantedBug.ts';

const functions = {
  echo: async (params: unknown) => params,
  refuse: async () => {
    throw failure('LIMIT_REACHED', 'no more today', { hint: 'wait', details: { limit: 'day' } });
  },
  hang: () => new Promise<never>(() => undefined),
};

const { runtimeDir, closing, owner, client } = ipcTest(functions);

/** A connection that speaks by hand. */
function raw(): Promise<{ socket: Socket; closed: Promise<void>; text: () => string }> {
  const socket = connectSocket(addressOf(runtimeDir(), stateDir).socket);
  let text = '';
  socket.on('data', (data) => {
    text += data.toString();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  closing({ close: () => socket.destroy() });
  return new Promise((resolve) => socket.once('connect', () => resolve({ socket, closed, text: () => text })));
}

interface Judged {
  readonly connect: typeof connect;
  readonly probe: typeof probe;
  readonly listen: typeof listen;
}

/** Where a client took somebody for the owner who could be anyone: each runtime folder as another user could have laid it. */
async function strangersTaken(judged: Judged): Promise<string[]> {
  const listening = await judged.listen({ runtimeDir: runtimeDir(), stateDir, functions, clock });
  await listening.open(standing);
  const { tokenFile } = addressOf(runtimeDir(), stateDir);
  const link = join(runtimeDir(), 'l');
  symlinkSync(runtimeDir(), link);
  const taken: string[] = [];
  const look = async (name: string, folder: string, lies: boolean): Promise<void> => {
    const asks = {
      alive: async () => (await judged.probe(folder, stateDir, clock)).state === 'alive',
      connected: async () => {
        (await judged.connect({ runtimeDir: folder, stateDir, clock })).close();
        return true;
      },
    };
    for (const [what, ask] of Object.entries(asks)) {
      const answer = await ask().catch((thrown: unknown) => findFailure(thrown)?.code ?? String(thrown));
      const right = lies && !(name === 'a token for all' && what === 'alive') ? 'NOT_PERMITTED' : true;
      if (answer !== right) taken.push(`${name}: ${what}: ${String(answer)}`);
    }
  };
  try {
    await look('our own', runtimeDir(), false);
    await look('a link', link, true);
    chmodSync(runtimeDir(), 0o777);
    await look('a folder for all', runtimeDir(), true);
    await expect(makeRuntimeDir(runtimeDir())).rejects.toThrow(expect.objectContaining({ code: 'NOT_PERMITTED' }));
    chmodSync(runtimeDir(), 0o700);
    chmodSync(tokenFile, 0o644);
    await look('a token for all', runtimeDir(), true);
    return taken;
  } finally {
    chmodSync(runtimeDir(), 0o700);
    await listening.close();
  }
}

describe('owner and client', () => {
  it('call, fail with the same failure, and know each other', async () => {
    await owner();
    const connection = await client();
    expect(connection.ownerPid).toBe(process.pid);
    expect(await connection.call('echo', { a: [1, 'ü', null] })).toEqual({ a: [1, 'ü', null] });
    expect(await connection.call('echo', 'x'.repeat(300_000))).toHaveLength(300_000);
    await expect(connection.call('refuse', null)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: 'no more today',
      hint: 'wait',
      details: { limit: 'day' },
    });
    for (const name of ['nothing', 'constructor', '__proto__', 'toString']) {
      await expect(connection.call(name, null)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('the owner publishes, in order, to everyone', async () => {
    const listening = await owner();
    const one: unknown[] = [];
    const other: unknown[] = [];
    await client((topic, payload) => one.push([topic, payload]));
    await client((topic, payload) => other.push([topic, payload]));
    for (let n = 0; n < 3; n++) listening.publish('event', n);
    await until(() => one.length + other.length === 6);
    expect(one).toEqual([
      ['event', 0],
      ['event', 1],
      ['event', 2],
    ]);
    expect(other).toEqual(one);
  });

  it('a call under way ends when the owner goes away', async () => {
    const listening = await owner();
    const connection = await client();
    const call = expect(connection.call('hang', null)).rejects.toMatchObject({ code: 'OWNER_UNREACHABLE' });
    await listening.close();
    await call;
    await connection.closed;
    await expect(connection.call('echo', 1)).rejects.toMatchObject({ code: 'OWNER_UNREACHABLE' });
    await expect(connect({ runtimeDir: runtimeDir(), stateDir, clock })).rejects.toMatchObject({
      code: 'OWNER_UNREACHABLE',
    });
    expect(readdirSync(runtimeDir())).toEqual([]);
  });
});

describe('who owns', () => {
  it('taking over while the owner answers is refused, with its process', async () => {
    await owner();
    expect(await isOwnerAlive(runtimeDir(), stateDir, clock)).toBe(true);
    await expect(owner({ replaceSilent: true })).rejects.toMatchObject({
      code: 'OWNER_BUSY',
      details: { pid: process.pid },
    });
  });

  it('a stale socket file is nobody, and is replaced by who listens', async () => {
    const { socket } = addressOf(runtimeDir(), stateDir);
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(`${socket}.x`, () => resolve()));
    symlinkSync(`${socket}.x`, socket);
    await new Promise<void>((resolve) => dead.close(() => resolve()));
    expect(await isOwnerAlive(runtimeDir(), stateDir, clock)).toBe(false);
    writeFileSync(socket.replace('.sock', '.token'), 'old');
    await owner();
    expect(await isOwnerAlive(runtimeDir(), stateDir, clock)).toBe(true);
    expect(await (await client()).call('echo', 1)).toBe(1);
  });

  it('one that holds the socket without a word is replaced only on request, and does not take the new socket with it', async () => {
    const { socket } = addressOf(runtimeDir(), stateDir);
    const accepted: Socket[] = [];
    const mute = createServer((each) => accepted.push(each));
    await new Promise<void>((resolve) => mute.listen(socket, () => resolve()));
    const options = { runtimeDir: runtimeDir(), stateDir, functions, clock: fast };
    await expect(listen(options)).rejects.toMatchObject({ code: 'OWNER_BUSY', details: { silent: true } });
    const next = await listen({ ...options, replaceSilent: true });
    closing(next);
    await next.open(standing);
    for (const each of accepted) each.destroy();
    expect(await isOwnerAlive(runtimeDir(), stateDir, clock)).toBe(true);
    mute.close();
  });

  it('an old owner that closes late leaves the successor in place', async () => {
    const old = await owner();
    const { socket, tokenFile } = addressOf(runtimeDir(), stateDir);
    rmSync(socket);
    const next = await owner();
    await old.close();
    expect(existsSync(socket)).toBe(true);
    expect(existsSync(tokenFile)).toBe(true);
    expect(await (await client()).call('echo', 'still')).toBe('still');
    expect(next.clients).toBe(1);
  });
});

it('a client waits for the token of an owner whose socket has just appeared', async () => {
  await owner();
  const { tokenFile } = addressOf(runtimeDir(), stateDir);
  const token = readFileSync(tokenFile, 'utf8');
  writeFileSync(tokenFile, 'd'.repeat(64));
  const sleep = async () => writeFileSync(tokenFile, token);
  const connection = await connect({ runtimeDir: runtimeDir(), stateDir, clock: { ...clock, sleep } });
  expect(await connection.call('echo', 1)).toBe(1);
  connection.close();
});

const UNGUARDED = [
  {
    bug: 'a folder is not looked at',
    find: "  requireOwn(path, stat, 'folder');\n  return true;",
    put: '  return true;',
    taken: 'a link: alive',
  },
  {
    bug: 'a token is not looked at',
    find: "    requireOwn(path, await file.stat(), 'file');\n",
    put: '',
    taken: 'a token for all',
  },
] as const;

describe('what must not get in', () => {
  it('the files are for this user only', async () => {
    await owner();
    const { tokenFile } = addressOf(runtimeDir(), stateDir);
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(tokenFile, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    chmodSync(runtimeDir(), 0o755);
    await makeRuntimeDir(runtimeDir());
    expect(statSync(runtimeDir()).mode & 0o777).toBe(0o700);
    const link = join(runtimeDir(), 'link');
    symlinkSync(tmpdir(), link);
    await expect(makeRuntimeDir(link)).rejects.toThrow(expect.objectContaining({ code: 'NOT_PERMITTED' }));
    const long = join(runtimeDir(), 'x'.repeat(100));
    expect(() => addressOf(long, stateDir)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('a folder or a token that others could have made', async () => {
    expect(await strangersTaken({ connect, probe, listen })).toEqual([]);
  });

  for (const { bug, find, put, taken } of UNGUARDED)
    planted(bug, async () => {
      using built = await buildWith({ file: 'src/adapters/ipc/ownFolder.ts', find, put }, [
        'src/adapters/ipc/client.ts',
        'src/adapters/ipc/server.ts',
        'src/adapters/ipc/probe.ts',
      ]);
      const load = (name: string) => import(built.program(name).href);
      const found = await strangersTaken({
        ...(await load('client')),
        ...(await load('probe')),
        ...(await load('server')),
      });
      expect(found).toContainEqual(expect.stringContaining(taken));
    });

  it('a wrong token', async () => {
    const listening = await owner();
    const { socket, closed, text } = await raw();
    socket.write(`${JSON.stringify({ hello: 1, nonce: 'a'.repeat(64) })}\n`);
    await until(() => text().includes('proof'));
    socket.write(`${JSON.stringify({ token: 'b'.repeat(64) })}\n`);
    await closed;
    expect(listening.clients).toBe(0);
    expect(text()).not.toContain('welcome');
  });

  it('a call before the token, a page in a browser, an endless first line', async () => {
    const listening = await owner();
    for (const bytes of [
      '{"t":"q","i":"1","m":"call","a":["echo",1]}\n',
      'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'x'.repeat(100_000),
    ]) {
      const { socket, closed } = await raw();
      socket.write(bytes);
      await closed;
    }
    expect(listening.clients).toBe(0);
    expect(await (await client()).call('echo', 1)).toBe(1);
  });

  it('an owner that does not know the token is not believed', async () => {
    await owner();
    writeFileSync(addressOf(runtimeDir(), stateDir).tokenFile, 'c'.repeat(64));
    await expect(connect({ runtimeDir: runtimeDir(), stateDir, clock: fast })).rejects.toMatchObject({
      code: 'OWNER_UNREACHABLE',
    });
  });

  it('the longest brief passes, however its characters are written down', async () => {
    await owner();
    const asking = await client();
    for (const character of ['"', '\\', '\n', '\u0001']) {
      const brief = character.repeat(MAX_BRIEF_BYTES);
      expect(await asking.call('echo', { brief })).toEqual({ brief });
    }
  });

  it('an oversized or malformed frame ends that client alone', async () => {
    const listening = await owner();
    const good = await client();
    await expect(good.call('echo', 'x'.repeat(CLIENT_FRAME_BYTES))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const bytes of ['x'.repeat(CLIENT_FRAME_BYTES + 10), '{"t":"q","m":"eval","a":[]}\n', '[]\n', 'null\n']) {
      const { socket, closed, text } = await raw();
      socket.write(`${JSON.stringify({ hello: 1, nonce: 'a'.repeat(64) })}\n`);
      socket.write(`${JSON.stringify({ token: readFileSync(addressOf(runtimeDir(), stateDir).tokenFile, 'utf8') })}\n`);
      await until(() => text().includes('welcome'));
      socket.write(bytes);
      await closed;
    }
    expect(await good.call('echo', 'fine')).toBe('fine');
    expect(listening.clients).toBe(1);
  });

  it('a slow client misses lines, is told so when it reads again, and holds up nobody', async () => {
    const listening = await owner();
    const heard: number[] = [];
    await client((_topic, payload) => heard.push(Number((payload as { n: number }).n)));
    const { socket, text } = await raw();
    socket.write(`${JSON.stringify({ hello: 1, nonce: 'a'.repeat(64) })}\n`);
    socket.write(`${JSON.stringify({ token: readFileSync(addressOf(runtimeDir(), stateDir).tokenFile, 'utf8') })}\n`);
    await until(() => text().includes('welcome'));
    socket.pause();
    const filler = 'y'.repeat(64 * 1024);
    for (let n = 0; n < 60; n++) {
      listening.publish('event', { n, filler });
      await until(() => heard.length === n + 1);
    }
    expect(heard).toHaveLength(60);
    socket.resume();
    await until(() => text().includes('"resync"'));
    expect(text().match(/"n":59,/)).toBeNull();
    listening.publish('event', { n: 60, filler: '' });
    await until(() => text().includes('"n":60,'));
  });
});
