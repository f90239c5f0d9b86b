import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, processesWith, type ShellGround, shellGround } from '../../support/shell.ts';

let ground: ShellGround;
let confined = false;
beforeAll(async () => {
  ground = shellGround({ maxProcesses: 64, floodBytes: 8 * 1024 * 1024 });
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
});
afterAll(() => ground.close());

/** A number of seconds that no other process sleeps for. */
const nap = (): string => `${randomInt(1_000, 9_000)}.${randomInt(100_000, 999_999)}`;
const gone = (mark: string): Promise<boolean> => eventually(() => processesWith(mark).length === 0);

describe('a confined command', () => {
  it('is ended by its time limit, with all that it started', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const mark = nap();
    const result = await ground.run(`sleep ${mark} & setsid sleep ${mark} & sleep ${mark}`, { timeoutMs: 400 });
    expect(result).toMatchObject({ ended: 'timeout', exitCode: null, sandboxed: true });
    expect(result.durationMs).toBeLessThan(3_000);
    expect(await gone(mark)).toBe(true);
  });

  it('is ended when it is aborted, within a second, and not started when it was aborted before', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const mark = nap();
    const control = new AbortController();
    const running = ground.run(`trap '' TERM INT HUP; setsid sleep ${mark} & sleep ${mark}`, {
      signal: control.signal,
    });
    expect(await eventually(() => processesWith(mark).length > 0)).toBe(true);
    control.abort();
    expect(await running).toMatchObject({ ended: 'aborted', exitCode: null });
    expect(await gone(mark)).toBe(true);
    expect(await ground.run('touch never', { signal: control.signal })).toMatchObject({ ended: 'aborted', output: '' });
  });

  it('leaves no daemon behind', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const mark = nap();
    const result = await ground.run(
      `(setsid env -i sleep ${mark} >/dev/null 2>&1 &) ; nohup sleep ${mark} >/dev/null & echo up`,
    );
    expect(result).toMatchObject({ ended: null, exitCode: 0, output: 'up\n' });
    expect(await gone(mark)).toBe(true);
  });

  it('is ended when it floods its output, and keeps little of it', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const result = await ground.run('head -c 1073741824 /dev/zero', { maxOutputBytes: 1_000 });
    expect(result).toMatchObject({ ended: 'output', exitCode: null });
    expect(result.output.length).toBeLessThan(1_200);
    expect(result.durationMs).toBeLessThan(5_000);
  });

  it('cuts the middle of a long output and goes on', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const result = await ground.run('seq 1 200000', { maxOutputBytes: 1_000 });
    expect(result).toMatchObject({ ended: null, exitCode: 0 });
    expect(result.output).toMatch(/^1\n2\n3\n[\s\S]*\[… \d+ bytes cut …\][\s\S]*199999\n200000\n$/);
  });

  it('is ended when it starts too many processes', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const mark = nap();
    const result = await ground.run(`i=0; while :; do sleep ${mark} & i=$((i+1)); done`, { timeoutMs: 20_000 });
    expect(result).toMatchObject({ ended: 'processes', exitCode: null });
    expect(await gone(mark)).toBe(true);
  });

  it('leaves no core file, and no file without bounds', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    expect(await ground.run('ulimit -c; ulimit -f')).toMatchObject({ output: '0\n8388608\n' });
  });

  it('survives a fork storm', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const result = await ground.run('f() { f | f & }; f; wait; sleep 60', { timeoutMs: 20_000 });
    expect(result.ended).toBe('processes');
    expect(result.durationMs).toBeLessThan(15_000);
  });
});
