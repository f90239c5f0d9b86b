/** A process as another one sees it: whose number it is, and its end with the commands that it runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { living, processId } from '../../../src/adapters/platform/process/processTree.ts';
import { kill } from '../../../src/adapters/platform/process/signals.ts';
import { MARKER } from '../../../src/adapters/shell/environment.ts';
import { endProcess, isGoneWithin, ownMark, whereabouts } from '../../../src/adapters/shell/process/otherProcess.ts';

const clock = systemClock();
/** Starts three that leave its group: a command of ours by its marker, one by its words, and one that is none. Says their numbers. */
const PROGRAM = `
const { spawn } = require('node:child_process');
const start = (args, env) => spawn('/bin/sh', ['-c', 'sleep 60; :', ...args], { env, detached: true, stdio: 'ignore' }).pid;
const pids = [start([], { ${MARKER}: 'a' }), start(['/the/jobs'], {}), start([], {})];
console.log(pids.join(' '));
if (process.argv[1] === 'hang') while (true);
setInterval(() => {}, 1000);
`;

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) kill(pid);
});

async function program(...args: string[]): Promise<{ child: ChildProcess; pids: number[] }> {
  const child = spawn(process.execPath, ['-e', PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const pids = String(line).split(' ').map(Number);
  started.push(child.pid ?? 0, ...pids);
  return { child, pids };
}

const markOf = (pid: number) => ({ ...ownMark(), pid, start: processId(pid)?.start ?? '' });

test.each(['hang', 'wait'])('one that does not answer (%s) ends, with its commands and nothing else', async (how) => {
  const { child, pids } = await program(how);
  const mark = markOf(child.pid ?? 0);
  const seen = pids.flatMap((pid) => processId(pid) ?? []);
  expect(whereabouts(mark)).toBe('alive');
  const exit = once(child, 'exit');
  await endProcess(mark, ['/the/jobs'], clock);
  expect(whereabouts(mark)).toBe('gone');
  expect(living(seen)).toEqual(pids.slice(2));
  expect(await exit).toEqual([null, 'SIGKILL']);
});

test('one that was stopped ends too', async () => {
  const { child } = await program('wait');
  child.kill('SIGSTOP');
  await endProcess(markOf(child.pid ?? 0), [], clock);
  expect(child.signalCode ?? (await once(child, 'exit'))[1]).toBe('SIGKILL');
});

test('a number that another process has by now is left alone', async () => {
  const { child } = await program('wait');
  const old = { ...markOf(child.pid ?? 0), start: '1' };
  expect(whereabouts(old)).toBe('gone');
  await endProcess(old, [], clock);
  expect(living([markOf(child.pid ?? 0)])).toEqual([child.pid]);
  expect(await isGoneWithin(markOf(child.pid ?? 0), 50, clock)).toBe(false);
});

test.each([
  ['this one', {}, 'self'],
  ['one from before this machine was started anew', { boot: 'another' }, 'gone'],
  ['one of another machine', { boot: 'another', machine: 'another' }, 'unknown'],
  ['one of a copy of this machine', { boot: 'another', host: 'another' }, 'unknown'],
  ['one of a machine that nothing identifies', { boot: '', machine: '', host: '' }, 'unknown'],
  ['one of another container', { space: 'pid:[1]' }, 'unknown'],
  ['one whose start is not known', { pid: process.ppid, start: '' }, 'alive'],
  ['one that is no more', { pid: 2 ** 22 + 1 }, 'gone'],
])('%s', (_, other, where) => {
  expect(whereabouts({ ...ownMark(), ...other })).toBe(where);
});
