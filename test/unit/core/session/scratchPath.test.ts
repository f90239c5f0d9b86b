import { describe, expect, it } from 'vitest';
import { wayBelow, wayInScratch } from '../../../../src/core/session/scratchPath.ts';
import { fc } from '../../../support/suite/property.ts';

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
  expect(wayInScratch(path, places, '/')).toBe(way);
});

it.each(['a.txt', 'tmp/a.txt', './$TMPDIR/a', '$TMPDIRS/a', '/tmpx/a', '/home/me/tree/tmp', '/etc/passwd', ''])(
  '%j is not',
  (path) => {
    expect(wayInScratch(path, places, '/')).toBeNull();
  },
);

it('leaves a tree in /tmp to the tree', () => {
  const inTmp = { workdir: '/tmp/work/tree', tmp: '/tmp/private/session-1/tmp' };
  expect(wayInScratch('/tmp/work/tree/src/a.ts', inTmp, '/')).toBeNull();
  expect(wayInScratch('/tmp/private/session-1/tmp/a', inTmp, '/')).toBe('a');
  expect(wayInScratch('/tmp/other', inTmp, '/')).toBe('other');
});

describe('on Windows', () => {
  const onWindows = { workdir: 'C:\\Users\\me\\tree', tmp: 'C:\\Users\\me\\run\\1\\tmp' };

  it.each([
    ...['C:\\Users\\me\\run\\1\\tmp\\a\\b.txt', 'c:/users/ME/run/1/tmp/a/b.txt', '/c/Users/me/run/1/tmp/a/b.txt'],
    ...[
      '$TMPDIR/a/b.txt',
      '$TMPDIR\\a\\b.txt',
      '/tmp/a/b.txt',
      '$env:TEMP\\a\\b.txt',
      '%temp%\\a/b.txt',
      '%TMPDIR%\\a\\b.txt',
    ],
  ])('%s is in the scratch folder', (path) => {
    expect(wayInScratch(path, onWindows, '\\')).toBe('a/b.txt');
  });

  it.each([
    ...[
      'C:\\Users\\me\\tree\\a',
      '/c/Users/me/tree/a',
      'C:\\Users\\me\\run\\1\\tmp2\\a',
      'D:\\Users\\me\\run\\1\\tmp\\a',
    ],
    ...['C:Users\\me\\run\\1\\tmp\\a', '\\\\?\\C:\\Users\\me\\run\\1\\tmp\\a', 'a.txt', '%TEMP%S\\a', ''],
  ])('%j is not', (path) => {
    expect(wayInScratch(path, onWindows, '\\')).toBeNull();
  });

  it('the way has the names of the path, in either separator', () => {
    const name = fc.stringMatching(/^[^\\/]{1,6}$/);
    const folder = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `C:\\${names.join('\\')}`);
    fc.assert(
      fc.property(folder, fc.array(name, { maxLength: 4 }), fc.constantFrom('/', '\\'), (top, names, between) => {
        const path = [top.replaceAll('\\', between), ...names].join(between);
        expect(wayBelow(path, top, '\\')).toBe(names.join('/'));
        expect(wayBelow(path.replace(/^C:/, '/c'), top, '\\')).toBe(names.join('/'));
        expect(wayBelow(`${path}x`, path, '\\')).toBeNull();
      }),
    );
  });
});
