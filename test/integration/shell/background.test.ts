/** Commands that stay in the background of a session: real processes in real sandboxes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kill } from '../../../src/adapters/platform/process/signals.ts';
import { holdNetwork } from '../../../src/adapters/shell/sandbox/heldNetwork.ts';
import { lookForTools } from '../../../src/adapters/shell/sandbox/sandboxTools.ts';
import type { BackgroundCommand, BackgroundRequest, CommandSession } from '../../../src/engine/session/commandPorts.ts';
import { inTheEnd, processesWith, type ShellGround, shellGround } from '../../support/shell/shell.ts';

let ground: ShellGround;
let session: CommandSession;
let confined = false;
let count = 0;

beforeAll(async () => {
  ground = shellGround();
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
});
afterAll(() => ground.close());

async function start(command: string, more: Partial<BackgroundRequest> = {}): Promise<BackgroundCommand> {
  const started = await ground.start(command, { session, ...more });
  if ('ended' in started) throw new Error(`not started: ${started.why}`);
  return started;
}

/** Waits until the command printed the text. Returns all that it printed by then. */
async function printed(command: BackgroundCommand, text: string): Promise<string> {
  for (let output = command.take(); ; output += command.take()) {
    if (output.includes(text) || command.end !== null) return output;
    await command.changed();
  }
}

async function over(command: BackgroundCommand): Promise<BackgroundCommand['end']> {
  while (command.end === null) await command.changed();
  return command.end;
}

/** Seconds that no other process sleeps. */
const mark = (): string => `9753.${process.pid}${count++}`;
const sleeping = (seconds: string): number => processesWith(`sleep\0${seconds}`).length;

/** On any free port of its network, which it prints. */
const SERVER = `node -e '
  const server = require("http").createServer((_, answer) => answer.end("hello\\n"));
  server.listen(0, "127.0.0.1", () => console.log("port", server.address().port, "up"));
'`;

describe('in the sandbox', () => {
  beforeEach(({ skip }) => {
    skip(process.platform !== 'linux', 'this network is of Linux');
    skip(!confined, 'no sandbox on this machine');
    session = ground.runner.openSession();
    return () => session.close();
  });

  it('a server is reached by later commands of its session, and by no other', async () => {
    const before = await ground.run('cat /proc/net/dev', { session });
    expect(session.sharesNetwork()).toBe(false);
    const server = await start(SERVER);
    const [, port] = /port (\d+) up/.exec(await printed(server, 'up')) ?? [];
    expect(session.sharesNetwork()).toBe(true);
    const get = `curl -sS -m 60 http://127.0.0.1:${port}/`;
    expect(await ground.run(get, { session })).toMatchObject({ exitCode: 0, output: 'hello\n' });
    const other = ground.runner.openSession();
    expect((await ground.run(get, { session: other })).exitCode).not.toBe(0);
    expect((await ground.run(get)).exitCode).not.toBe(0);
    // Nothing but a loopback, as before.
    const interfaces = (output: string) => output.match(/^ *\w+:/gm)?.map((name) => name.trim());
    const now = await ground.run('cat /proc/net/dev', { session });
    expect(interfaces(now.output)).toEqual(interfaces(before.output));
    expect((await ground.run('curl -sS -m 60 http://192.0.2.1/', { session })).exitCode).not.toBe(0);
    await server.stop();
    expect((await ground.run(get, { session })).exitCode).not.toBe(0);
    await other.close();
  });

  it('gives what was printed since the last look, and keeps all of it for read', async () => {
    const talker = await start('mkfifo gate; echo one; read -r _ < gate; echo two >&2; exit 3');
    expect(await printed(talker, 'one\n')).toBe('one\n');
    expect(talker.take()).toBe('');
    expect(talker.end).toBeNull();
    await ground.run('echo go > gate', { session });
    expect(await over(talker)).toEqual({ exitCode: 3, ended: null, notes: [] });
    expect(talker.take()).toBe('two\n');
    expect(talker.whole()).toMatchObject({ bytes: 8, isWhole: true });
    expect(readFileSync(talker.whole()?.path ?? '', 'utf8')).toBe('one\ntwo\n');
  });

  it('stop ends all that it started, whatever it ignores', async () => {
    const seconds = mark();
    const stubborn = `trap "" TERM INT HUP; (trap "" TERM; setsid sleep ${seconds} &); sleep ${seconds} & echo up; wait`;
    const command = await start(stubborn);
    await printed(command, 'up');
    expect(await inTheEnd(() => sleeping(seconds) === 2)).toBe(true);
    await command.stop();
    expect(sleeping(seconds)).toBe(0);
    expect(command.end).toMatchObject({ exitCode: null, ended: 'aborted' });
  });

  it('a server that forks ends with the command that started it, which is told', async () => {
    const seconds = mark();
    const command = await start(`setsid sleep ${seconds} & echo forked`);
    const end = await over(command);
    expect(end).toMatchObject({ exitCode: 0, ended: null });
    expect(end?.notes).toEqual(['1 process that the command left running was ended with it']);
    expect(sleeping(seconds)).toBe(0);
  });

  it('ends by the signal of its job', async () => {
    const seconds = mark();
    const job = new AbortController();
    const command = await start(`echo up; sleep ${seconds}`, { signal: job.signal });
    await printed(command, 'up');
    job.abort();
    expect(await over(command)).toMatchObject({ ended: 'aborted' });
    expect(sleeping(seconds)).toBe(0);
    expect(await ground.start('true', { session, signal: job.signal })).toMatchObject({ ended: 'aborted' });
  });

  it('a killed host leaves nothing of it', async () => {
    const seconds = mark();
    const folder = mkdtempSync(join(tmpdir(), 'autonomous-background-'));
    const script = fileURLToPath(new URL('../../support/process/backgroundHost.ts', import.meta.url));
    const command = `trap "" TERM; setsid sleep ${seconds} & sleep ${seconds}`;
    const host = spawn(process.execPath, [script, folder, command], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    expect(line.toString()).toBe('started\n');
    expect(await inTheEnd(() => sleeping(seconds) === 2)).toBe(true);
    const held = holders(host.pid);
    expect(held.length).toBeGreaterThan(0);
    host.kill('SIGKILL');
    expect(await inTheEnd(() => sleeping(seconds) === 0)).toBe(true);
    expect(await inTheEnd(() => holders(null).every((pid) => !held.includes(pid)))).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  });

  it('a command has a network of its own again when the one of its session is gone', async () => {
    const command = await start('echo up; sleep 600');
    await printed(command, 'up');
    for (const pid of holders(process.pid)) kill(pid);
    expect(await inTheEnd(() => !session.sharesNetwork())).toBe(true);
    const { output } = await ground.run('cat /proc/net/dev; readlink /proc/self/ns/net', { session });
    expect(output.match(/^ +\w+:/gm)).toEqual(['    lo:']);
    expect(output).not.toContain(readlinkSync('/proc/self/ns/net'));
    const next = await start('echo up; sleep 600');
    expect(session.sharesNetwork()).toBe(true);
    await Promise.all([command.stop(), next.stop()]);
  });

  it('nothing of a command runs outside of the network that it was started for', async () => {
    const { tools } = lookForTools(process.env);
    const held = tools === null ? null : await holdNetwork(tools, process.env);
    const run = (line: string) => spawnSync('/bin/sh', ['-c', held?.enter(line) ?? 'exit 1'], { encoding: 'utf8' });
    expect(run('echo ran; cat /proc/net/dev').stdout).toMatch(/^ran\n/);
    held?.close();
    expect(await inTheEnd(() => held?.isOpen() === false)).toBe(true);
    // The process that keeps the network open ends some time after the one that started it.
    expect(await inTheEnd(() => run('echo ran').stdout === '')).toBe(true);
    // As if the words that enter the network did nothing.
    const unentered = held?.enter('echo ran').replace(/^exec '[^']+' -t \d+ -U -n --preserve-credentials /, 'exec ');
    expect(spawnSync('/bin/sh', ['-c', unentered ?? ''], { encoding: 'utf8' })).toMatchObject({
      stdout: '',
      status: 126,
    });
  });
});

/** Returns the ids of sandboxes that hold a network. With `parent`, only those that this process started. */
function holders(parent: number | null | undefined): number[] {
  return processesWith('echo held').filter((pid) => {
    if (parent === null) return true;
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`);
    } catch {
      return false; // gone while we looked
    }
  });
}

it('is refused without a sandbox', async () => {
  const open = shellGround({ confine: false });
  const own = open.runner.openSession();
  const started = await open.start(`sleep ${mark()}`, { session: own });
  expect(started).toMatchObject({ ended: 'refused', why: expect.stringContaining('need the sandbox') });
  await open.close();
});
