import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { openProcessCgroup } from '../../../src/adapters/platform/process/cgroup.ts';
import { WALK_MS } from '../../../src/adapters/shell/process/processLife.ts';
import { inTheEnd, processesWith, type ShellGround, shellGround } from '../../support/shell/shell.ts';

const SECRET = 'sk-not-for-you-9a20';
let ground: ShellGround;
let bin: string;

/** A PATH without bubblewrap is a machine without a sandbox. */
beforeAll(() => {
  bin = join(homedir(), 'bin');
  mkdirSync(bin);
  for (const name of ['env', 'sleep', 'touch', 'echo', 'printf', 'setsid', 'sh'])
    symlinkSync(`/usr/bin/${name}`, join(bin, name));
  symlinkSync(process.execPath, join(bin, 'node'));
  ground = shellGround({ maxProcesses: 64, environment: { PATH: bin, ANTHROPIC_API_KEY: SECRET, LANG: 'C.UTF-8' } });
});
afterAll(() => ground.close());

const nap = (): string => `${randomInt(1_000, 9_000)}.${randomInt(100_000, 999_999)}`;
const gone = (mark: string): Promise<boolean> => inTheEnd(() => processesWith(mark).length === 0);

describe('without a sandbox', () => {
  it('says so, and what to install', async () => {
    const state = await ground.runner.sandbox();
    expect(state.mode).toBe('unconfined');
    const missing = state.mode === 'unconfined' ? state.missing.join('\n') : '';
    expect(missing).toMatch(/bwrap is not installed: .*bubblewrap/);
    expect(missing).toMatch(/socat is not installed: .*socat/);
  });

  it('runs an allowed argv, without a shell', async () => {
    const allowed = [['printf', '%s|', '$HOME', 'a b', '*']];
    const result = await ground.run("printf '%s|' '$HOME' \"a b\" '*'", { allowed });
    // `$` between double quotes would be an expansion; between single ones it is text.
    expect(result).toMatchObject({ exitCode: 0, ended: null, output: '$HOME|a b|*|', sandboxed: false });
  });

  it('refuses a program that lies in, or leads into, what the command may write', async () => {
    const evil = join(ground.clone, 'tool');
    writeFileSync(evil, '#!/bin/sh\ntouch taken\n');
    chmodSync(evil, 0o755);
    symlinkSync(evil, join(bin, 'linked'));
    for (const name of ['tool', './tool', evil, 'linked']) {
      const env = { PATH: `${ground.clone}:.:${bin}` };
      expect(await ground.run(name, { allowed: [[name]], env })).toMatchObject({ ended: 'refused' });
    }
    expect(existsSync(join(ground.clone, 'taken'))).toBe(false);
  });

  it('runs an approved text with a shell', async () => {
    const result = await ground.run('echo one; echo two >&2; exit 4', { approved: true });
    expect(result).toMatchObject({ exitCode: 4, ended: null, sandboxed: false });
    expect(result.output.split('\n').sort()).toEqual(['', 'one', 'two']);
  });

  it('hands over no secret', async () => {
    const { output } = await ground.run('env', { allowed: [['env']] });
    const names = output
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
      .filter((name) => name !== 'PWD');
    expect(names.sort()).toEqual(['AUTONOMOUS_COMMAND', 'CI', 'HOME', 'LANG', 'NO_COLOR', 'PATH', 'TERM', 'TMPDIR']);
    expect(output).not.toContain(SECRET);
  });

  it('ends a daemon that left its session', async () => {
    const mark = nap();
    const result = await ground.run(`(setsid sleep ${mark} >/dev/null 2>&1 &); echo up`, { approved: true });
    expect(result).toMatchObject({ ended: null, exitCode: 0, output: 'up\n' });
    expect(await gone(mark)).toBe(true);
  });

  it('ends a daemon that dropped its environment too', async () => {
    const mark = nap();
    const daemon = `env -i setsid sh -c 'sleep ${mark} & sleep ${mark}' >/dev/null 2>&1 &`;
    const running = ground.run(`${daemon} while [ ! -e seen ]; do sleep 0.05; done; echo up`, { approved: true });
    expect(await inTheEnd(() => processesWith(mark).length > 0)).toBe(true);
    // Timers of this process that are due before this one have run: its walks over the processes are among them.
    await new Promise((resolve) => setTimeout(resolve, 8 * WALK_MS));
    writeFileSync(join(ground.clone, 'seen'), '');
    const result = await running;
    rmSync(join(ground.clone, 'seen'));
    expect(result).toMatchObject({ ended: null, output: 'up\n' });
    expect(await gone(mark)).toBe(true);
  });

  it('holds it to time, processes and abort', async () => {
    const mark = nap();
    const late = await ground.run(`setsid sleep ${mark} & sleep ${mark}`, { approved: true, timeoutMs: 300 });
    expect(late).toMatchObject({ ended: 'timeout', exitCode: null });
    const many = await ground.run(`while :; do sleep ${mark} & done`, { approved: true });
    expect(many).toMatchObject({ ended: 'processes', exitCode: null });
    const control = new AbortController();
    const running = ground.run(`sleep ${mark}`, { approved: true, signal: control.signal });
    expect(await inTheEnd(() => processesWith(mark).length > 0)).toBe(true);
    control.abort();
    expect(await running).toMatchObject({ ended: 'aborted' });
    expect(await gone(mark)).toBe(true);
  });

  it('knows a storm of processes that was over before anyone looked', async ({ skip }) => {
    const cgroup = openProcessCgroup(8, systemClock());
    skip(cgroup === null, 'there is no bound of the kernel on this machine');
    cgroup?.remove();
    const mark = nap();
    const storm = ground.run(`sleep ${mark} & sleep 0.5; while :; do sleep ${mark} & done`, {
      approved: true,
    });
    // From its beginning until it is over this process gets no turn.
    expect(await inTheEnd(() => processesWith(mark).length > 0)).toBe(true);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    expect(await storm).toMatchObject({ ended: 'processes', exitCode: null });
    expect(await inTheEnd(() => processesWith(mark).length === 0)).toBe(true);
  });

  it('ends a command that lives on after a storm that nobody saw', async ({ skip }) => {
    const cgroup = openProcessCgroup(8, systemClock());
    skip(cgroup === null, 'there is no bound of the kernel on this machine');
    cgroup?.remove();
    const mark = nap();
    // A shell of its own: this one would try its refused fork again for a quarter of a minute.
    const rest = ground.run(`sleep 0.5; sh -c 'while :; do sleep 0.2 & done'; : ${mark}; exec sleep ${mark}`, {
      approved: true,
      timeoutMs: 10_000,
    });
    expect(await inTheEnd(() => processesWith(mark).length > 0)).toBe(true);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    expect(await rest).toMatchObject({ ended: 'processes', exitCode: null });
    expect(await inTheEnd(() => processesWith(mark).length === 0)).toBe(true);
  });
});

describe('with the sandbox switched off', () => {
  it('asks for each command, whatever this machine has, and runs what is allowed', async () => {
    const open = shellGround({ confine: false });
    try {
      expect(await open.runner.sandbox()).toMatchObject({ mode: 'unconfined', missing: [] });
      expect(await open.run('touch made')).toMatchObject({ ended: 'refused', sandboxed: false });
      expect(existsSync(join(open.clone, 'made'))).toBe(false);
      expect(await open.run('touch made', { allowed: [['touch', 'made']] })).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(open.clone, 'made'))).toBe(true);
    } finally {
      await open.close();
    }
  });
});
