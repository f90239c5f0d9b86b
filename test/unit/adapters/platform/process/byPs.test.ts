import { expect, it } from 'vitest';
import { byPs, rowsOf } from '../../../../../src/adapters/platform/process/byPs.ts';

/** As `/bin/ps -A -o pid=,ppid=,stat=,lstart=` prints on macOS and on Debian. */
const MACOS = `    1     0 Ss   Mon Nov  2 08:14:01 2026    \n  412     1 S+   Sat Nov 28 09:00:12 2026    \n 9031   412 Z    Sat Nov 28 09:01:00 2026    \n`;
const DEBIAN = `      1       0 Ssl  Sat Nov 28 08:00:59 2026\n  20123       1 R<l+ Sat Nov 28 09:01:00 2026\n`;

it('reads the rows of ps', () => {
  expect(rowsOf(MACOS)).toEqual([
    { pid: 1, parent: 0, state: 'S', start: 'Mon Nov  2 08:14:01 2026' },
    { pid: 412, parent: 1, state: 'S', start: 'Sat Nov 28 09:00:12 2026' },
    { pid: 9031, parent: 412, state: 'Z', start: 'Sat Nov 28 09:01:00 2026' },
  ]);
  expect(rowsOf(DEBIAN).map(({ pid, state }) => [pid, state])).toEqual([
    [1, 'S'],
    [20123, 'R'],
  ]);
  expect(rowsOf('')).toEqual([]);
  expect(rowsOf('ps: illegal option\nusage: ps\n')).toEqual([]);
});

it('takes two starts for one within the second to which ps rounds', () => {
  const { isSameStart } = byPs([]);
  expect(isSameStart('Sat Nov 28 09:00:12 2026', 'Sat Nov 28 09:00:12 2026')).toBe(true);
  expect(isSameStart('Sat Nov 28 09:00:12 2026', 'Sat Nov 28 09:00:13 2026')).toBe(true);
  expect(isSameStart('Sat Nov 28 09:00:12 2026', 'Sat Nov 28 09:00:14 2026')).toBe(false);
  expect(isSameStart('', 'Sat Nov 28 09:00:12 2026')).toBe(false);
});
