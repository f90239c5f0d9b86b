import { expect, test } from 'vitest';
import { type FileStat, faultOfPlace } from '../../../../src/core/guard/ownPlace.ts';

const ours = { kind: 'folder', uid: 7, mode: 0o40700 } as const;

test.each<[FileStat, 'folder' | 'file', number | undefined, string | null]>([
  [ours, 'folder', 7, null],
  [{ ...ours, mode: 0o40755 }, 'folder', 7, null],
  [{ ...ours, mode: 0o40770 }, 'folder', 7, 'may be written by other users'],
  [{ ...ours, uid: 8 }, 'folder', 7, 'belongs to another user'],
  [{ ...ours, uid: 0 }, 'folder', 7, 'belongs to another user'],
  [{ ...ours, kind: 'other' }, 'folder', 7, 'is not a folder'],
  [{ ...ours, uid: 0, mode: 0o40777 }, 'folder', undefined, null],
  [{ kind: 'file', uid: 7, mode: 0o100600 }, 'file', 7, null],
  [{ kind: 'file', uid: 7, mode: 0o100640 }, 'file', 7, 'may be read by other users'],
  [{ kind: 'file', uid: 8, mode: 0o100600 }, 'file', 7, 'belongs to another user'],
  [ours, 'file', 7, 'is not a plain file'],
])('%o as a %s of %s: %s', (seen, wanted, uid, fault) => {
  expect(faultOfPlace(seen, wanted, uid)).toBe(fault);
});
