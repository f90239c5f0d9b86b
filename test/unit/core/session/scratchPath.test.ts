import { expect, it } from 'vitest';
import { wayInScratch } from '../../../../src/core/session/scratchPath.ts';

const places = { workdir: '/home/me/tree', tmp: '/var/run/session-3/tmp' };

it.each([
  ['$TMPDIR/a.txt', 'a.txt'],
  [`\${TMPDIR}/b/c.log`, 'b/c.log'],
  ['/tmp/a.txt', 'a.txt'],
  ['/var/run/session-3/tmp/a.txt', 'a.txt'],
  ['/tmp', ''],
  // The files behind it refuse what leads out of the folder.
  ['/tmp/../etc/passwd', '../etc/passwd'],
])('%s is in the scratch folder', (path, way) => {
  expect(wayInScratch(path, places)).toBe(way);
});

it.each(['a.txt', 'tmp/a.txt', './$TMPDIR/a', '$TMPDIRS/a', '/tmpx/a', '/home/me/tree/tmp', '/etc/passwd', ''])(
  '%j is not',
  (path) => {
    expect(wayInScratch(path, places)).toBeNull();
  },
);

it('leaves a tree in /tmp to the tree', () => {
  const inTmp = { workdir: '/tmp/work/tree', tmp: '/tmp/private/session-1/tmp' };
  expect(wayInScratch('/tmp/work/tree/src/a.ts', inTmp)).toBeNull();
  expect(wayInScratch('/tmp/private/session-1/tmp/a', inTmp)).toBe('a');
  expect(wayInScratch('/tmp/other', inTmp)).toBe('other');
});
