import { describe, expect, it } from 'vitest';
import { notApplied } from '../../../../../src/adapters/git/job/restoreKeptWork.ts';

const said = (stderr: string) => notApplied({ code: 128, stdout: '', stderr, cut: false, late: false });

describe('a patch that git does not apply', () => {
  it.each([
    "fatal: Unable to create '/r/.git/index.lock': Read-only file system",
    'error: unable to write file objects/ab/cd: No space left on device',
    'error: insufficient permission for adding an object to repository database .git/objects',
  ])('is whole where the disk refused: %s', (stderr) => {
    expect(said(stderr)).toMatchObject({ code: 'DISK' });
  });

  it.each(['error: patch failed: a.txt:1', 'error: corrupt patch at line 7'])('is damaged else: %s', (stderr) => {
    expect(said(stderr)).toMatchObject({ code: 'STATE_DAMAGED' });
  });
});
