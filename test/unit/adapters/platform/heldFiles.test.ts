/** Files that another program holds: they are waited for, but not without end. */
import { afterEach, expect, it } from 'vitest';
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
afterEach(() => hold(holdsFiles));

/** Throws these in turn, then succeeds. */
function acts(...errors: readonly Error[]): () => string {
  const left = [...errors];
  return () => {
    const next = left.shift();
    if (next !== undefined) throw next;
    return 'done';
  };
}

function patience() {
  const waits: number[] = [];
  const reports: string[] = [];
  const given: Patience = {
    sleep: async (ms) => void waits.push(ms),
    sleepSync: (ms) => void waits.push(ms),
    report: (file, code) => void reports.push(`${file} ${code}`),
  };
  return { waits, reports, given };
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
  expect(waited).toBeGreaterThanOrEqual(10_000);
  expect(waited).toBeLessThan(10_500);
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

it('an outcome that names a held file is asked for again, where files are held', async () => {
  const outcomes = [true, false, true];
  const [act, heldFile] = [async () => outcomes.shift() === true, (isHeld: boolean) => (isHeld ? 'a' : null)];
  hold(false);
  expect(await whileHeld('git add', act, heldFile)).toBe(true);
  hold(true);
  outcomes.unshift(true);
  expect(await whileHeld('git add', act, heldFile)).toBe(false);
  expect(outcomes).toEqual([true]);
});

it('a file that is not there is no wait', async () => {
  hold(true);
  await expect(rm('/no/such/file')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(() => rmSync('/no/such/file')).toThrow('ENOENT');
});
