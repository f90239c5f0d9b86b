/** An owner whose files in the runtime folder are removed or replaced by others, and what two owners at once make of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { addressOf } from '../../../src/adapters/ipc/address.ts';
import { connect } from '../../../src/adapters/ipc/client.ts';
import { type Listening, listen } from '../../../src/adapters/ipc/server.ts';
import type { Clock } from '../../../src/shared/clock.ts';

const clock = systemClock();
/** For what waits some seconds for another process. */
const fast: Clock = {
  now: () => clock.now(),
  monotonic: () => clock.monotonic() * 30,
  sleep: (ms, signal) => clock.sleep(ms / 30, signal),
  timer: (ms, run) => clock.timer(ms / 30, run),
};
const stateDir = '/somewhere/.autonomous';
let runtimeDir: string;
let open: { close(): unknown }[];

beforeEach(() => {
  runtimeDir = mkdtempSync(join(tmpdir(), 'aut-run-'));
  open = [];
});
afterEach(async () => {
  for (const each of open.reverse()) await each.close();
  rmSync(runtimeDir, { recursive: true, force: true });
});

const functions = { echo: async (params: unknown) => params };

const standing = {
  isOwner: async () => true,
  problem: (text: string) => {
    throw new Error(text);
  },
};

async function owner(more: { clock?: Clock } = {}): Promise<Listening> {
  const listening = await listen({ runtimeDir, stateDir, functions, clock, ...more });
  open.push(listening);
  await listening.open(standing);
  return listening;
}

async function client() {
  const connection = await connect({ runtimeDir, stateDir, clock });
  open.push(connection);
  return connection;
}

const until = async (check: () => boolean) => {
  while (!check()) await clock.sleep(5);
};

/** The real clock; `look` runs what the owner does every ten seconds. */
function looking(): { clock: Clock; look(): void; readonly isWaiting: boolean } {
  let next: (() => void) | null = null;
  const timer: Clock['timer'] = (ms, run) => {
    if (ms !== 10_000) return clock.timer(ms, run);
    next = run;
    return () => {
      next = null;
    };
  };
  return {
    clock: { ...clock, timer },
    look() {
      const run = next;
      next = null;
      run?.();
    },
    get isWaiting() {
      return next !== null;
    },
  };
}

/** The listening server of another process, at the place of the owner's socket. */
async function otherAt(path: string): Promise<Server> {
  const other = createServer((each) => each.destroy());
  await new Promise<void>((resolve) => other.listen(path, () => resolve()));
  return other;
}

const filesOf = (): readonly string[] => {
  const { socket, tokenFile } = addressOf(runtimeDir, stateDir);
  return [socket, tokenFile].map((path) => `${statSync(path).ino} ${statSync(path).mtimeMs}`);
};

describe('an owner whose files were removed', () => {
  const { socket, tokenFile } = addressOf('', stateDir);
  it.each([
    ['its socket', [socket]],
    ['its token', [tokenFile]],
    ['both', [socket, tokenFile]],
    ['the whole folder', ['']],
  ])('is found again (%s), and keeps its clients', async (_, names) => {
    const timed = looking();
    const listening = await owner({ clock: timed.clock });
    const early = await client();
    for (const name of names) rmSync(join(runtimeDir, name), { recursive: true });
    await expect(connect({ runtimeDir, stateDir, clock: fast })).rejects.toMatchObject({ code: 'OWNER_UNREACHABLE' });
    timed.look();
    await until(() => timed.isWaiting);
    expect(await (await client()).call('echo', 'found')).toBe('found');
    expect(await early.call('echo', 'kept')).toBe('kept');
    expect(listening.clients).toBe(2);
    expect(statSync(runtimeDir).mode & 0o777).toBe(0o700);
    expect(readdirSync(runtimeDir).sort()).toEqual([socket, tokenFile].sort());
    const before = filesOf();
    timed.look();
    await until(() => timed.isWaiting);
    expect(filesOf()).toEqual(before);
    await listening.close();
    expect(timed.isWaiting).toBe(false);
    expect(readdirSync(runtimeDir)).toEqual([]);
  });

  it('leaves a successor alone, and looks no more', async () => {
    const timed = looking();
    let isOwner = true;
    const old = await listen({ runtimeDir, stateDir, functions, clock: timed.clock });
    open.push(old);
    await old.open({ ...standing, isOwner: async () => isOwner });
    rmSync(runtimeDir, { recursive: true });
    isOwner = false;
    await owner();
    const before = filesOf();
    timed.look();
    await old.close();
    expect(filesOf()).toEqual(before);
    expect(timed.isWaiting).toBe(false);
    expect(await (await client()).call('echo', 1)).toBe(1);
  });

  it('leaves a process alone that listens without a claim, until it has ended', async () => {
    const timed = looking();
    await owner({ clock: timed.clock });
    const { socket: path } = addressOf(runtimeDir, stateDir);
    rmSync(path);
    const other = await otherAt(path);
    const [before] = filesOf();
    timed.look();
    await until(() => timed.isWaiting);
    expect(filesOf()[0]).toBe(before);
    await new Promise((resolve) => other.close(resolve));
    timed.look();
    await until(() => timed.isWaiting);
    expect(await (await client()).call('echo', 1)).toBe(1);
  });

  it('takes its files back if another process has claimed the state meanwhile', async () => {
    const timed = looking();
    const answers = [true, false];
    const listening = await listen({ runtimeDir, stateDir, functions, clock: timed.clock });
    open.push(listening);
    await listening.open({ ...standing, isOwner: async () => answers.shift() ?? false });
    rmSync(join(runtimeDir, socket));
    timed.look();
    await until(() => answers.length === 0 && readdirSync(runtimeDir).length === 0);
    expect(timed.isWaiting).toBe(false);
  });

  it('reports what keeps it from that, and tries again', async () => {
    const timed = looking();
    const problems: string[] = [];
    const listening = await listen({ runtimeDir, stateDir, functions, clock: timed.clock });
    open.push(listening);
    await listening.open({ ...standing, problem: (text) => problems.push(text) });
    rmSync(runtimeDir, { recursive: true });
    writeFileSync(runtimeDir, '');
    timed.look();
    await until(() => timed.isWaiting);
    expect(problems).toEqual([expect.stringContaining('its socket cannot be restored')]);
    rmSync(runtimeDir);
    timed.look();
    await until(() => timed.isWaiting);
    expect(await (await client()).call('echo', 1)).toBe(1);
    expect(problems).toHaveLength(1);
  });
});

/** As on Windows, as far as a socket can be that: its name is taken until its process ends. */
describe('a named pipe', () => {
  const system = { pipe: (name: string) => join(runtimeDir, `${name}.pipe`) };
  const { tokenFile } = addressOf('', stateDir);

  it('that another process has taken meanwhile is left alone, with its token', async () => {
    const options = { runtimeDir, stateDir, functions, clock };
    let before = '';
    const late = listen(
      {
        ...options,
        former: async () => {
          const quick = await listen(options, system);
          open.push(quick);
          await quick.open(standing);
          before = readFileSync(join(runtimeDir, tokenFile), 'utf8');
        },
      },
      system,
    );
    await expect(late).rejects.toMatchObject({ code: 'OWNER_BUSY', details: { silent: true } });
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(join(runtimeDir, tokenFile), 'utf8')).toBe(before);
    expect(readdirSync(runtimeDir)).toHaveLength(2);
    const connection = await connect({ runtimeDir, stateDir, clock }, system);
    open.push(connection);
    expect(await connection.call('echo', 1)).toBe(1);
  });

  it('is closed with the token of its owner', async () => {
    const listening = await listen({ runtimeDir, stateDir, functions, clock }, system);
    await listening.open(standing);
    await listening.close();
    expect(readdirSync(runtimeDir)).toEqual([]);
  });

  it('gets its token back', async () => {
    const timed = looking();
    const listening = await listen({ runtimeDir, stateDir, functions, clock: timed.clock }, system);
    open.push(listening);
    await listening.open(standing);
    rmSync(join(runtimeDir, tokenFile));
    timed.look();
    await until(() => timed.isWaiting);
    (await connect({ runtimeDir, stateDir, clock }, system)).close();
  });
});
