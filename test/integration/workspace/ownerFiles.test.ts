/** An owner whose files in the runtime folder are removed or replaced by others, and what two owners at once make of them. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { addressOf } from '../../../src/adapters/ipc/address.ts';
import { connect } from '../../../src/adapters/ipc/client.ts';
import { listen } from '../../../src/adapters/ipc/server.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { clock, fast, ipcTest, standing, stateDir, until } from '../../support/state/ipcTest.ts';

const functions = { echo: async (params: unknown) => params };
const { runtimeDir, closing, owner, client } = ipcTest(functions);

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
  const { socket, tokenFile } = addressOf(runtimeDir(), stateDir);
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
    for (const name of names) rmSync(join(runtimeDir(), name), { recursive: true });
    await expect(connect({ runtimeDir: runtimeDir(), stateDir, clock: fast })).rejects.toMatchObject({
      code: 'OWNER_UNREACHABLE',
    });
    timed.look();
    await until(() => timed.isWaiting);
    expect(await (await client()).call('echo', 'found')).toBe('found');
    expect(await early.call('echo', 'kept')).toBe('kept');
    expect(listening.clients).toBe(2);
    expect(statSync(runtimeDir()).mode & 0o777).toBe(0o700);
    expect(readdirSync(runtimeDir()).sort()).toEqual([socket, tokenFile].sort());
    const before = filesOf();
    timed.look();
    await until(() => timed.isWaiting);
    expect(filesOf()).toEqual(before);
    await listening.close();
    expect(timed.isWaiting).toBe(false);
    expect(readdirSync(runtimeDir())).toEqual([]);
  });

  it('leaves a successor alone, and looks no more', async () => {
    const timed = looking();
    let isOwner = true;
    const old = await listen({ runtimeDir: runtimeDir(), stateDir, functions, clock: timed.clock });
    closing(old);
    await old.open({ ...standing, isOwner: async () => isOwner });
    rmSync(runtimeDir(), { recursive: true });
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
    const { socket: path } = addressOf(runtimeDir(), stateDir);
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
    const listening = await listen({ runtimeDir: runtimeDir(), stateDir, functions, clock: timed.clock });
    closing(listening);
    await listening.open({ ...standing, isOwner: async () => answers.shift() ?? false });
    rmSync(join(runtimeDir(), socket));
    timed.look();
    await until(() => answers.length === 0 && readdirSync(runtimeDir()).length === 0);
    expect(timed.isWaiting).toBe(false);
  });

  it('reports what keeps it from that, and tries again', async () => {
    const timed = looking();
    const problems: string[] = [];
    const listening = await listen({ runtimeDir: runtimeDir(), stateDir, functions, clock: timed.clock });
    closing(listening);
    await listening.open({ ...standing, problem: (text) => problems.push(text) });
    rmSync(runtimeDir(), { recursive: true });
    writeFileSync(runtimeDir(), '');
    timed.look();
    await until(() => timed.isWaiting);
    expect(problems).toEqual([expect.stringContaining('its socket cannot be restored')]);
    rmSync(runtimeDir());
    timed.look();
    await until(() => timed.isWaiting);
    expect(await (await client()).call('echo', 1)).toBe(1);
    expect(problems).toHaveLength(1);
  });
});

test('beside a dead socket, the token of a starter who takes its place meanwhile is not taken for that of the dead', async () => {
  const { socket, tokenFile } = addressOf(runtimeDir(), stateDir);
  const dead = await otherAt(`${socket}.x`);
  renameSync(`${socket}.x`, socket);
  await new Promise((resolve) => dead.close(resolve));
  const [last, starter] = ['a'.repeat(64), 'b'.repeat(64)];
  writeFileSync(tokenFile, last);
  // The probe starts its timer when it connects to the dead socket.
  const timer: Clock['timer'] = (ms, run) => {
    writeFileSync(tokenFile, starter);
    return clock.timer(ms, run);
  };
  const marks: (string | null)[] = [];
  const former = async (deaf: string | null) => void marks.push(deaf);
  closing(await listen({ runtimeDir: runtimeDir(), stateDir, functions, clock: { ...clock, timer }, former }));
  expect(readFileSync(tokenFile, 'utf8')).toBe(starter);
  expect(marks).toEqual([createHash('sha256').update(last).digest('hex').slice(0, 16)]);
});

/** As on Windows, as far as a socket can be that: its name is taken until its process ends. */
describe('a named pipe', () => {
  const system = { pipe: (name: string) => join(runtimeDir(), `${name}.pipe`) };
  const { tokenFile } = addressOf('', stateDir);

  it('that another process has taken meanwhile is left alone, with its token', async () => {
    const options = { runtimeDir: runtimeDir(), stateDir, functions, clock };
    let before = '';
    const late = listen(
      {
        ...options,
        former: async () => {
          const quick = await listen(options, system);
          closing(quick);
          await quick.open(standing);
          before = readFileSync(join(runtimeDir(), tokenFile), 'utf8');
        },
      },
      system,
    );
    await expect(late).rejects.toMatchObject({ code: 'OWNER_BUSY', details: { silent: true } });
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(join(runtimeDir(), tokenFile), 'utf8')).toBe(before);
    expect(readdirSync(runtimeDir())).toHaveLength(2);
    const connection = await connect({ runtimeDir: runtimeDir(), stateDir, clock }, system);
    closing(connection);
    expect(await connection.call('echo', 1)).toBe(1);
  });

  it('is closed with the token of its owner', async () => {
    const listening = await listen({ runtimeDir: runtimeDir(), stateDir, functions, clock }, system);
    await listening.open(standing);
    await listening.close();
    expect(readdirSync(runtimeDir())).toEqual([]);
  });

  it('gets its token back', async () => {
    const timed = looking();
    const listening = await listen({ runtimeDir: runtimeDir(), stateDir, functions, clock: timed.clock }, system);
    closing(listening);
    await listening.open(standing);
    rmSync(join(runtimeDir(), tokenFile));
    timed.look();
    await until(() => timed.isWaiting);
    (await connect({ runtimeDir: runtimeDir(), stateDir, clock }, system)).close();
  });
});
