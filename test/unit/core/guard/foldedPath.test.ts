/** Which paths some system takes for the same file: whatever is refused, is refused under all of its spellings. */
import { posix, win32 } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { mayBeWithin } from '../../../../src/core/guard/foldedPath.ts';
import { foldedName } from '../../../../src/core/guard/hiddenNames.ts';
import { FakeDisk, FOLDS } from '../../../support/hostilePaths/fakeDisk.ts';
import { fc } from '../../../support/suite/property.ts';

const NAMES = [
  'proj',
  'PROJ',
  'Straße',
  'STRASSE',
  'STRAẞE',
  'é',
  'E\u0301',
  'ΑΣ',
  'ας',
  'ﬁ',
  'FI',
  'K',
  '\u212a',
  'a b',
  'ſ',
  'İ',
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.stringMatching(/^[A-Za-zäÖéſµ.]{0,3}[A-Za-zß]$/u));
const spelled = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom('upper', 'lower', 'NFD', 'NFC', 'dots', 'stream'), { maxLength: 3 }).map((ways) =>
    ways.reduce((now, way) => {
      if (way === 'upper') return now.toUpperCase();
      if (way === 'lower') return now.toLowerCase();
      if (way === 'dots') return `${now}. .`;
      return way === 'stream' ? `${now}::$DATA` : now.normalize(way);
    }, text),
  );

describe.each([
  ['Linux', posix, FOLDS.exact],
  ['APFS', posix, FOLDS.apfs],
  ['HFS+', posix, FOLDS.hfs],
  ['NTFS', win32, FOLDS.ntfs],
] as const)('on %s', (_, path, fold) => {
  test('what the file system finds in a folder may be within it', () => {
    const root = path === win32 ? 'C:\\' : '/';
    const names = fc.array(name, { minLength: 1, maxLength: 3 });
    const both = fc
      .tuple(names, names)
      .chain(([folder, below]) =>
        fc.tuple(
          fc.constant(folder),
          fc.tuple(...[...folder, ...below].map((one) => fc.oneof(fc.constant(one), spelled(one)))),
        ),
      );
    fc.assert(
      fc.property(both, ([folder, spelling]) => {
        const disk = new FakeDisk(path, fold);
        const place = disk.add(root + folder.join(path.sep));
        const asked = root + spelling.join(path.sep);
        const { entry } = disk.reach(asked);
        if (disk.isIn(entry, place)) expect(mayBeWithin(asked, disk.spelled(place))).toBe(true);
      }),
    );
  });
});

describe('may be within a folder', () => {
  it.each([
    ['c:\\proj\\x', 'C:\\Proj'],
    ['C:/proj/x', 'C:\\proj'],
    ['\\\\?\\c:\\proj\\x', 'C:\\proj'],
    ['\\\\.\\C:\\proj', 'C:\\proj'],
    ['\\\\?\\UNC\\Server\\share\\proj', '\\\\server\\Share'],
    ['C:\\proj. \\x', 'C:\\proj'],
    ['C:\\proj::$INDEX_ALLOCATION\\x', 'C:\\proj'],
    ['C:\\a\\..\\proj\\x', 'C:\\proj'],
    ['/Users/Me/Projekt-\u00e9/x', '/users/me/projekt-e\u0301'],
    ['/home/me/proj/./x', '/home/me/proj/'],
    ['/x', '/'],
    ['.Hooks/pre-commit', '.hooks'],
  ])('%s: %s', (path, folder) => {
    expect(mayBeWithin(path, folder)).toBe(true);
  });

  it.each([
    ['C:\\project\\x', 'C:\\proj'],
    ['D:\\proj\\x', 'C:\\proj'],
    ['\\\\c\\proj\\x', 'C:\\proj'],
    ['C:\\server\\share', '\\\\server\\share'],
    ['/home/me', '/home/me/proj'],
    ['/home/me/proj/../other', '/home/me/proj'],
    ['/proj', 'C:\\proj'],
  ])('not %s: %s', (path, folder) => {
    expect(mayBeWithin(path, folder)).toBe(false);
  });
});

test('a folded name is the same for every case and form of each character', () => {
  const others = (text: string): readonly string[] => [
    ...[text.toLowerCase(), text.toUpperCase(), text.normalize('NFD'), text.normalize('NFD').toUpperCase()],
    ...[FOLDS.ntfs(text), FOLDS.apfs(text), FOLDS.hfs(text), `${text}.`, `${text}:s`, foldedName(text)],
  ];
  const odd: string[] = [];
  for (let code = 1; code < 0x1_0000; code++) {
    const text = `a${String.fromCodePoint(code)}`;
    const hasForms = [text.toLowerCase(), text.toUpperCase(), text.normalize('NFD')].some((form) => form !== text);
    if (hasForms && others(text).some((other) => foldedName(other) !== foldedName(text))) odd.push(code.toString(16));
  }
  expect(odd).toEqual([]);
});
