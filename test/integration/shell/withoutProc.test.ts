/** A Unix without /proc, as macOS is: processes are listed by `ps`, and none outlives its command or us. */
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { inTheEnd, processesWith } from '../../support/shell/shell.ts';

const support = (file: string): string => fileURLToPath(new URL(`../../support/process/${file}`, import.meta.url));
const ARGS = ['--import', support('withoutProc.ts'), support('unconfinedHost.ts')];
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-no-proc-')));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const nap = (): string => `${randomInt(1_000, 9_000)}.${randomInt(100_000, 999_999)}`;
const sleeping = (mark: string): number => processesWith(`sleep\0${mark}`).length;
const run = (command: string, timeoutMs = 60_000, ps = ''): unknown => {
  const env = { ...process.env, TEST_PS: ps };
  const said = execFileSync(process.execPath, [...ARGS, folder, command, String(timeoutMs)], { encoding: 'utf8', env });
  return JSON.parse(said);
};

it('ends what a command left, also what left its session and its parent', () => {
  const mark = nap();
  const result = run(`(setsid sleep ${mark} >/dev/null 2>&1 &); sleep ${mark} & echo up`);
  expect(result).toEqual({ exitCode: 0, ended: null, output: 'up\n', sandboxed: false, lists: true });
  expect(sleeping(mark)).toBe(0);
});

it('ends a command with its whole tree at its time limit', () => {
  const mark = nap();
  expect(run(`setsid sleep ${mark} & sleep ${mark}`, 1_500)).toMatchObject({ exitCode: null, ended: 'timeout' });
  expect(sleeping(mark)).toBe(0);
});

it('holds a command to its number of processes', () => {
  const mark = nap();
  const storm = `i=0; while [ $i -lt 90 ]; do sleep ${mark} & i=$((i + 1)); done; wait`;
  expect(run(storm)).toMatchObject({ exitCode: null, ended: 'processes' });
  expect(sleeping(mark)).toBe(0);
});

it('leaves nothing of a command if this program is killed in the middle of it', async () => {
  const mark = nap();
  const host = spawn(process.execPath, [...ARGS, folder, `setsid sleep ${mark} & sleep ${mark}`], { stdio: 'ignore' });
  onTestFinished(() => void host.kill('SIGKILL'));
  expect(await inTheEnd(() => sleeping(mark) === 2)).toBe(true);
  host.kill('SIGKILL');
  expect(await inTheEnd(() => sleeping(mark) === 0)).toBe(true);
});

it('ends another program of ours with its commands', async () => {
  const mark = nap();
  const host = spawn(process.execPath, [...ARGS, folder, `setsid sleep ${mark} & sleep ${mark}`], { stdio: 'ignore' });
  onTestFinished(() => void host.kill('SIGKILL'));
  expect(await inTheEnd(() => sleeping(mark) === 2)).toBe(true);
  const said = execFileSync(process.execPath, [...ARGS, 'end', String(host.pid)], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({ before: 'alive', refused: null, after: 'gone' });
  expect(sleeping(mark)).toBe(0);
});

it('ends the tree of a command also where environments are hidden', () => {
  const mark = nap();
  expect(run(`setsid sleep ${mark} & sleep ${mark}`, 1_500, 'hides')).toMatchObject({ ended: 'timeout' });
  expect(sleeping(mark)).toBe(0);
});

it('ends what was seen of a command, but no other process, if this program is killed', async () => {
  const [mark, other] = [nap(), nap()];
  const [child, stranger] = [mark, other].map((seconds) => spawn('setsid', ['sleep', seconds], { stdio: 'ignore' }));
  onTestFinished(() => {
    for (const one of [child, stranger]) one?.kill('SIGKILL');
  });
  expect(await inTheEnd(() => sleeping(mark) === 1 && sleeping(other) === 1)).toBe(true);
  const host = spawn(process.execPath, [...ARGS, 'watch', String(child?.pid)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(host.stdout, 'data');
  host.kill('SIGKILL');
  expect(await inTheEnd(() => sleeping(mark) === 0)).toBe(true);
  expect(sleeping(other)).toBe(1);
});

it('takes no process for ended, and ends none, while processes cannot be listed', async () => {
  const mark = nap();
  const host = spawn(process.execPath, [...ARGS, folder, `sleep ${mark}`], { stdio: 'ignore' });
  onTestFinished(() => void host.kill('SIGKILL'));
  expect(await inTheEnd(() => sleeping(mark) === 1)).toBe(true);
  const env = { ...process.env, TEST_PS: 'fails' };
  const said = execFileSync(process.execPath, [...ARGS, 'end', String(host.pid)], { encoding: 'utf8', env });
  expect(JSON.parse(said)).toEqual({ before: 'alive', refused: 'NOT_PERMITTED', after: 'alive' });
  expect(sleeping(mark)).toBe(1);
  host.kill('SIGKILL');
  expect(await inTheEnd(() => sleeping(mark) === 0)).toBe(true);
});
