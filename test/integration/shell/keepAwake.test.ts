/**
 * The program that keeps the machine awake, as a real process: it lives as long as it is held, and no longer than this process. The program of the
 * system is played by a script that starts a real `cat`, as the real one does.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, inject, it } from 'vitest';
import { KEEP_AWAKE, type KeepAwake } from '../../../src/adapters/platform/keepAwake.ts';
import { awakeProgram, keepAwake } from '../../../src/adapters/shell/keepAwake.ts';
import { untilHolds } from '../../support/time/untilHolds.ts';

/** systemd does not run in every place where the tests do. */
const program: KeepAwake = { ...KEEP_AWAKE.linux, start: (env, find) => KEEP_AWAKE.linux.start(env, find, () => true) };
const HOST = fileURLToPath(new URL('../../support/process/awakeHost.ts', import.meta.url));

let folder: string;
let failures: Error[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'awake-')));
  failures = [];
});

const bin = () => join(folder, 'bin');

/** Starts a real `cat`, and waits for it. */
const WAITS = `for cat in "$@"; do :; done\nsh -c 'echo $$ > "$0/cat"; exec "$1"' "$here" "$cat"`;

/** A script in the place of systemd-inhibit. It records its arguments, its environment and its process group, and then does `act`. */
function plays(act = WAITS, place = bin()): void {
  mkdirSync(place, { recursive: true });
  const file = join(place, 'systemd-inhibit');
  const records = [
    `printf '%s\\n' "$@" > "$here/args"`,
    'env > "$here/env"',
    'ps -o pid= -o pgid= -p $$ > "$here/ids"',
  ];
  writeFileSync(file, ['#!/bin/sh', `here='${folder}'`, ...records, act, ''].join('\n'));
  chmodSync(file, 0o755);
}

const environment = (more: Readonly<Record<string, string>> = {}) => ({ PATH: `${bin()}:/usr/bin:/bin`, ...more });
const hold = (more = {}, outside: readonly string[] = []) =>
  keepAwake({ environment: environment(more), outside, program }, (thrown) => failures.push(thrown));
const recorded = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');

/** The ids in a recorded line. */
function ids(name: string): readonly number[] {
  const all = recorded(name).join(' ').split(/\s+/).map(Number);
  if (all.some((id) => !(id > 1))) throw new Error(`${name} is not recorded yet`);
  return all;
}

/** A process that has ended may still be listed until its parent has noticed. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

const isHeld = () => untilHolds(() => expect(isAlive(ids('cat')[0] ?? 0)).toBe(true));
const isGone = () =>
  untilHolds(() => {
    const all = [...(existsSync(join(folder, 'cat')) ? ids('cat') : []), ids('ids')[0] ?? 0];
    expect(all.filter(isAlive)).toEqual([]);
  });

it('lives until it is released, and leaves no process', async () => {
  plays();
  const release = hold();
  await isHeld();
  expect(recorded('args').slice(0, -1)).toEqual([
    '--what=idle',
    '--who=Autonomous',
    '--why=Work is running',
    '--mode=block',
  ]);
  release();
  await isGone();
  expect(failures).toEqual([]);
});

it('ends with a process that is killed', async () => {
  plays();
  const host = spawn(process.execPath, [HOST], { env: environment(), stdio: ['ignore', 'ignore', 'inherit'] });
  await isHeld();
  host.kill('SIGKILL');
  await once(host, 'exit');
  await isGone();
});

it('has a process group of its own, so that Ctrl-C does not end it, and no secret', async () => {
  plays();
  const release = hold({ ANTHROPIC_API_KEY: 'sk-secret', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' });
  await isHeld();
  const [pid, group] = ids('ids');
  expect(group).toBe(pid);
  expect(recorded('env')).toContain('DBUS_SESSION_BUS_ADDRESS=unix:path=/run/bus');
  expect(recorded('env').filter((line) => line.includes('sk-secret'))).toEqual([]);
  release();
  await isGone();
});

it('reports a program that fails, once, with the first line that it wrote', async () => {
  plays('echo "Failed to inhibit: Access denied" >&2; echo more >&2; exit 1');
  hold();
  await untilHolds(() => expect(failures).toHaveLength(1));
  expect(failures[0]).toMatchObject({
    code: 'COMMAND_FAILED',
    message: 'systemd-inhibit failed: Failed to inhibit: Access denied',
  });
  await isGone();
});

it('reports a program that is killed, and ends what it started', async () => {
  plays();
  hold();
  await isHeld();
  process.kill(ids('ids')[0] ?? Number.NaN, 'SIGKILL');
  await untilHolds(() => expect(failures).toHaveLength(1));
  expect(failures[0]?.message).toBe('systemd-inhibit failed: it ended with SIGKILL');
  await isGone();
});

it('reports a program that cannot be started', async () => {
  mkdirSync(bin());
  writeFileSync(join(bin(), 'systemd-inhibit'), '#!/no/such/interpreter\n');
  chmodSync(join(bin(), 'systemd-inhibit'), 0o755);
  const release = hold();
  await untilHolds(() => expect(failures).toHaveLength(1));
  release();
  expect(failures[0]).toMatchObject({ code: 'COMMAND_FAILED', message: expect.stringContaining('ENOENT') });
});

it('is not looked for in the repository, in packages or in a relative folder', () => {
  const repo = join(folder, 'repo');
  const places = [join(repo, 'bin'), join(folder, 'node_modules', '.bin')];
  for (const place of places) plays('exit 0', place);
  mkdirSync(bin());
  symlinkSync('/bin/cat', join(bin(), 'cat'));
  const PATH = [...places, 'bin', '.', bin()].join(':');
  expect(() => hold({ PATH }, [repo])).toThrowError(expect.objectContaining({ code: 'NOT_FOUND' }));
  expect(existsSync(join(folder, 'args'))).toBe(false);
});

it('is named if it is not available', () => {
  expect(() => awakeProgram({ environment: { PATH: bin() }, outside: [], program })).toThrowError(
    expect.objectContaining({ code: 'NOT_FOUND', message: 'systemd-inhibit is not available' }),
  );
});
