/** Files that another program holds: they are waited for, but not without end. */
import { afterEach, expect, it, vi } from 'vitest';
import {
  type Patience,
  patiently,
  patientlySync,
  rm,
  rmSync,
  whileHeld,
} from '../../../../src/adapters/platform/heldFiles.ts';
import { platform } from '../../../../src/adapters/platform/platform.ts';
import { HELD_HINT } from '../../../../src/engine/state/filePorts.ts';
import { failure } from '../../../../src/shared/errors.ts';

const held = (code: string): Error => Object.assign(new Error(code), { code });

const { holdsFiles } = platform;
const hold = (holds: boolean) => void Object.assign(platform, { holdsFiles: holds });
afterEach(() => {
  hold(holdsFiles);
  vi.useRealTimers();
});

/** Throws these in turn, then succeeds. */
function acts(...errors: readonly Error[]): () => string {
  const left = [...errors];
  return () => {
    const next = left.shift();
    if (next !== undefined) throw next;
    return 'done';
  };
}

/** A clock that only waits and `take` move. */
function patience() {
  const waits: number[] = [];
  const reports: string[] = [];
  let now = 1_000;
  const take = (ms: number): void => {
    now += ms;
  };
  const sleepSync = (ms: number): void => {
    waits.push(ms);
    take(ms);
  };
  const given: Patience = {
    now: () => now,
    sleep: async (ms) => sleepSync(ms),
    sleepSync,
    report: (file, code) => void reports.push(`${file} ${code}`),
  };
  return { waits, reports, given, take, now: () => now };
}

it.each(['EPERM', 'EACCES', 'EBUSY'])('%s ends when the other program lets go', async (code) => {
  const at = patience();
  const act = acts(held(code), held(code), held(code));
  expect(await patiently('a', async () => act(), at.given)).toBe('done');
  expect(at.waits).toEqual([10, 20, 40]);
  expect(at.reports).toEqual([]);
});

it('a long wait is reported once, and ends after ten seconds with what to do', async () => {
  const at = patience();
  const forever = () => {
    throw held('EBUSY');
  };
  await expect(patiently('a', async () => forever(), at.given)).rejects.toMatchObject({
    code: 'DISK',
    message: 'cannot use a: EBUSY',
    hint: HELD_HINT,
    details: { path: 'a', errno: 'EBUSY' },
  });
  expect(at.reports).toEqual(['a EBUSY']);
  const waited = at.waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBe(10_000);
});

it.each([held('ENOENT'), held('ENOSPC'), failure('DISK', 'full')])('%s is no wait', async (thrown) => {
  const at = patience();
  await expect(patiently('a', async () => acts(thrown)(), at.given)).rejects.toBe(thrown);
  expect(() => patientlySync('a', acts(thrown), at.given)).toThrow(thrown);
  expect(at.waits).toEqual([]);
});

it('without promises it is the same', () => {
  const at = patience();
  expect(patientlySync('a', acts(held('EPERM'), held('EACCES')), at.given)).toBe('done');
  expect(at.waits).toEqual([10, 20]);
});

it('a folder that is not empty yet is waited for where it is removed with all in it', async () => {
  const at = patience();
  const notEmpty = () => acts(held('ENOTEMPTY'));
  await expect(patiently('a', async () => notEmpty()(), at.given)).rejects.toThrow('ENOTEMPTY');
  const act = notEmpty();
  expect(await patiently('a', async () => act(), at.given, ['ENOTEMPTY'])).toBe('done');
  expect(at.waits).toEqual([10]);
});

it.each([700, 4_000, 30_000])('ten seconds are over whatever took them, such as attempts of %i ms', async (each) => {
  const at = patience();
  const act = async (): Promise<never> => {
    at.take(each);
    throw held('EBUSY');
  };
  await expect(patiently('a', act, at.given)).rejects.toMatchObject({ code: 'DISK' });
  expect(at.now()).toBeLessThanOrEqual(1_000 + 10_000 + 2 * each);
});

/** Runs a command in a place of its own; it says these in turn, the last one without end. */
function commands(place: string) {
  const at = patience();
  let runs = 0;
  const run = async (program: string, each: number, ...said: readonly (string | null)[]) => {
    runs = 0;
    const act = async () => {
      at.take(each);
      return said[Math.min(runs++, said.length - 1)] ?? null;
    };
    return { said: await whileHeld({ program, place }, act, (line) => line, at.given), runs };
  };
  return { ...at, run };
}

it('a command that names a held file is run again', async () => {
  const at = commands('again');
  expect(await at.run('git add', 0, 'a', 'b', null)).toEqual({ said: null, runs: 3 });
  expect(at.waits).toEqual([100, 300]);
});

it.each([
  [0, 6],
  [300, 6],
  [4_000, 4],
  [30_000, 2],
])('a command of %i ms is run %i times at most', async (each, most) => {
  const at = commands(`of ${each} ms`);
  expect(await at.run('git add', each, 'a')).toEqual({ said: 'a', runs: most });
  expect(at.now()).toBeLessThanOrEqual(1_000 + 10_000 + 2 * each);
});

it('what outlived a wait is waited for no more there, until its command ends without it', async () => {
  const [at, other] = [commands('here'), commands('there')];
  expect(await at.run('git add', 0, 'a')).toMatchObject({ runs: 6 });
  expect(await at.run('git status', 0, 'a')).toEqual({ said: 'a', runs: 1 });
  expect(await at.run('git status', 0, null)).toMatchObject({ runs: 1 });
  expect(await at.run('git add', 0, 'a')).toEqual({ said: 'a', runs: 1 });
  expect(await at.run('git add', 0, 'b', null)).toMatchObject({ runs: 2 });
  expect(await at.run('git add', 0, 'a', null)).toMatchObject({ runs: 2 });
  expect(await other.run('git add', 0, 'a', null)).toMatchObject({ runs: 2 });
  for (let line = 0; line < 20; line++) await at.run(`git ${line}`, 0, `line ${line}`);
  expect(await at.run('git add', 0, 'line 0', null)).toMatchObject({ runs: 2 });
  expect(await at.run('git add', 0, 'line 19', null)).toMatchObject({ runs: 1 });
});

it('a wait for a command ends with its signal', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stop = new AbortController();
  const act = async () => {
    if (stop.signal.aborted) throw failure('ABORTED', 'stopped');
    setImmediate(() => stop.abort());
    return 'a';
  };
  const real = whileHeld({ program: 'git add', place: 'stopped', signal: stop.signal }, act, (line) => line);
  await expect(real).rejects.toMatchObject({ code: 'ABORTED' });
  expect(vi.getTimerCount()).toBe(0);
});

it('a file that is not there is no wait', async () => {
  hold(true);
  await expect(rm('/no/such/file')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(() => rmSync('/no/such/file')).toThrow('ENOENT');
});
