/** Where a path leads, on file systems of every kind: a permitted path is inside, and no other machine is looked at. */
import { type PlatformPath, posix, win32 } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { wayInto } from '../../../../src/adapters/tree/realPath.ts';
import { isGitName, isStateName } from '../../../../src/core/guard/hiddenNames.ts';
import { errnoOf } from '../../../../src/shared/errors.ts';
import { FakeDisk, FOLDS, type Fold, type Reached } from '../../../support/hostilePaths/fakeDisk.ts';
import { fc } from '../../../support/suite/property.ts';

interface Kind {
  readonly name: string;
  readonly path: PlatformPath;
  readonly fold: Fold;
  /** Folders beside each other: the tree is the first. */
  readonly places: readonly string[];
}

const UNIX = [
  '/home/me/tree',
  '/home/me/TREE',
  '/home/ME/tree',
  '/home/me/tree2',
  '/home/me/out',
  '/etc',
  '/İ/p',
  '/i̇/p',
];
const WINDOWS = [
  'C:\\Users\\me\\tree',
  'C:\\Users\\me\\Tree',
  'C:\\USERS\\me\\tree',
  'C:\\Users\\me\\tree2',
  'C:\\Users\\me\\out',
  'D:\\tree',
  '\\\\evil\\share\\tree',
  '\\\\c\\Users\\me\\tree',
];
const KINDS: readonly Kind[] = [
  { name: 'Linux', path: posix, fold: FOLDS.exact, places: UNIX },
  { name: 'macOS (APFS)', path: posix, fold: FOLDS.apfs, places: UNIX },
  { name: 'macOS (HFS+)', path: posix, fold: FOLDS.hfs, places: UNIX },
  { name: 'Windows', path: win32, fold: FOLDS.ntfs, places: WINDOWS },
  { name: 'Windows with folders that tell case apart', path: win32, fold: FOLDS.exact, places: WINDOWS },
  {
    name: 'Windows, tree on another machine',
    path: win32,
    fold: FOLDS.ntfs,
    places: ['\\\\server\\share\\tree', '\\\\server\\share\\out', '\\\\server\\other\\tree', '\\\\evil\\share\\tree'],
  },
];

const NAMES = [
  ...[
    'a',
    'A',
    'b',
    'é',
    'e\u0301',
    's',
    'ſ',
    'ß',
    'ẞ',
    'İ',
    'i̇',
    '..',
    '..',
    '.',
    'missing',
    'b.',
    'b ',
    'a:s',
    'a\u200c',
  ],
  ...[
    '.git',
    '.GIT',
    'git~1',
    '.gi\u200ct',
    '.git::$INDEX_ALLOCATION',
    '.autonomous',
    '.AUTONOMOU\u017f',
    'NUL',
    'aux.c',
  ],
  ...['link', 'Link', 'link2', '...', '..b'],
];

const nameOf = fc.constantFrom(...NAMES);
const folded = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(text, text.toLowerCase(), text.toUpperCase(), text.normalize('NFD'));

/** A path of the kind that a model may write. */
function givenOn({ path, places }: Kind): fc.Arbitrary<string> {
  const separator = path === win32 ? fc.constantFrom('\\', '/') : fc.constant('/');
  const below = fc.tuple(fc.array(nameOf, { maxLength: 4 }), separator).map(([names, between]) => names.join(between));
  const start = fc.constantFrom(...places).chain(folded);
  const prefix =
    path === win32
      ? fc.constantFrom('', '', '', '\\\\?\\', '\\\\.\\', '\\\\?\\UNC\\', '\\??\\')
      : fc.constantFrom('', '', '/');
  const whole = fc.tuple(prefix, start, separator, below).map((parts) => parts.join(''));
  const odd = path === win32 ? fc.constantFrom('C:', 'C:a', 'D:a', '\\a', '/a', '\\\\evil', 'NUL', 'C:..\\out') : below;
  return fc.oneof(below, below, whole, odd);
}

interface Planted {
  /** Below one of the places. */
  readonly names: readonly string[];
  readonly place: number;
  /** Null for a file. */
  readonly target: string | null;
}

function plantedOn(kind: Kind): fc.Arbitrary<Planted> {
  const name = nameOf.filter((one) => !['.', '..', 'missing'].includes(one));
  return fc.record({
    names: fc.array(name, { minLength: 1, maxLength: 3 }),
    place: fc.nat({ max: kind.places.length - 1 }).map((at) => (at % 2 === 0 ? 0 : at)),
    target: fc.option(givenOn(kind).filter((text) => text !== '')),
  });
}

function diskOf({ path, fold, places }: Kind, planted: readonly Planted[]): FakeDisk {
  const disk = new FakeDisk(path, fold);
  for (const place of places) disk.add(path.join(place, 'b'), 'file');
  for (const { names, place, target } of planted) {
    const at = path.join(places[place] ?? '', ...names);
    disk.add(at, target === null ? 'file' : { target });
  }
  disk.touched.clear();
  return disk;
}

/** What the kernel finds; null if it refuses. */
function reached(disk: FakeDisk, path: string): Reached | null {
  try {
    return disk.reach(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return null;
  }
}

async function found(disk: FakeDisk, tree: string, given: string) {
  try {
    return await wayInto(tree, given, [tree], disk);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return null;
  }
}

const isProtected = (name: string): boolean => isGitName(name) || isStateName(name);

describe.each(KINDS)('on $name', (kind) => {
  const [tree = '', ...others] = kind.places;
  const input = fc.record({ planted: fc.array(plantedOn(kind), { maxLength: 8 }), given: givenOn(kind) });

  test('a permitted path is inside, by the same names, and a protected one is known under every spelling', async () => {
    let permitted = 0;
    await fc.assert(
      fc.asyncProperty(input, async ({ planted, given }) => {
        const disk = diskOf(kind, planted);
        const way = await found(disk, tree, given);
        if (way === null) return;
        permitted++;
        const root = disk.reach(tree).entry;
        const asked = reached(disk, kind.path.resolve(tree, given));
        const same = reached(disk, kind.path.join(way.root, ...way.names));
        expect(way.root).toBe(disk.spelled(root));
        if (asked === null || same === null) return;
        expect(disk.isIn(asked.entry, root)).toBe(true);
        expect(same).toEqual(asked);
        expect(way.names).toEqual([...disk.namesBelow(asked.entry, root), ...asked.missing]);
        const stored = [...disk.namesBelow(asked.entry, root), ...asked.missing];
        const spelledAs = (name: string) => ['.git', '.autonomous'].some((one) => kind.fold(one) === kind.fold(name));
        if (stored.some(spelledAs)) expect([...way.asked, ...way.names].some(isProtected)).toBe(true);
      }),
      { numRuns: 1_500 },
    );
    expect(permitted).toBeGreaterThan(100);
  });

  test('no other machine and no other drive is looked at', async () => {
    await fc.assert(
      fc.asyncProperty(input, async ({ planted, given }) => {
        const disk = diskOf(kind, planted);
        await found(disk, tree, given);
        const own = kind.path.parse(tree).root.toUpperCase();
        expect([...disk.touched].filter((root) => root !== own)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });

  test('a stored path is permitted as it is stored', async () => {
    const disk = diskOf(kind, []);
    disk.add(kind.path.join(tree, 'dir', 'é', '..b'), 'file');
    for (const given of ['b', 'dir/é/..b', kind.path.join(tree, 'b'), 'dir/new/é', 'dir/é/../é', './dir', '.', '']) {
      const way = await wayInto(tree, given, [tree], disk);
      expect(way?.names, given).toEqual(
        kind.path.relative(tree, kind.path.resolve(tree, given)).split(kind.path.sep).filter(Boolean),
      );
    }
    for (const other of others.filter((one) => kind.fold(one) !== kind.fold(tree)))
      expect(await found(disk, tree, kind.path.join(other, 'b')), other).toBeNull();
  });
});

describe.each(KINDS.filter(({ path }) => path === posix))('on $name', ({ fold }) => {
  const tree = '/var/home/me/tree';
  const disk = new FakeDisk(posix, fold);
  for (const file of ['b', 'dir/sub/c', 'a\\..\\..\\x', 'dir/\\e']) disk.add(`${tree}/${file}`, 'file');
  disk.add('/var/home/me/out/b', 'file');
  for (const [link, target] of Object.entries({
    '/home': '/var/home',
    '/alias': 'var/home/me',
    [`${tree}/abs`]: '/alias/tree/dir/sub',
    [`${tree}/old`]: '/home/me/tree/dir',
    [`${tree}/far`]: '../../../../alias/../me/tree/dir',
    [`${tree}/out`]: '/alias/out',
    [`${tree}/alias`]: '/alias',
  }))
    disk.add(link, { target });

  it.each([
    ['/home/me/tree', 'abs/c', 'dir/sub/c'],
    ['/alias/tree', 'abs/c', 'dir/sub/c'],
    [tree, 'abs/c', 'dir/sub/c'],
    [tree, 'abs/new/d', 'dir/sub/new/d'],
    [tree, 'old/sub/c', 'dir/sub/c'],
    [tree, 'far/sub/c', 'dir/sub/c'],
    [tree, 'alias/tree/b', 'b'],
    ['/alias/tree', '/alias/tree/b', 'b'],
    ['/home/me/tree', `${tree}/b`, 'b'],
    [tree, 'a\\..\\..\\x', 'a\\..\\..\\x'],
    [tree, 'dir/\\e', 'dir/\\e'],
  ])('of %s, %s is %s, by whichever name', async (own, given, names) => {
    expect(await wayInto(own, given, [own], disk)).toMatchObject({ root: tree, names: names.split('/') });
  });

  it.each(['out/b', 'alias/out/b', '../out/b', '/alias/out/b', '\\..\\..\\out', '/var\\home/me/tree/b'])(
    '%s leads to nothing outside',
    async (given) => {
      const way = await wayInto(tree, given, [tree], disk);
      expect(
        way === null || disk.isIn(disk.reach(posix.join(way.root, ...way.names)).entry, disk.reach(tree).entry),
      ).toBe(true);
      if (!given.startsWith('\\')) expect(way).toBeNull();
    },
  );

  it('the folder is known in each spelling that the disk takes for it', async () => {
    const way = await found(disk, tree, '/VAR/home/ME/tree/b');
    if (fold === FOLDS.exact) expect(way).toBeNull();
    else expect(way).toMatchObject({ root: tree, names: ['b'] });
  });
});

describe('on Windows', () => {
  const tree = 'C:\\Users\\me\\tree';
  const kind = { name: '', path: win32, fold: FOLDS.ntfs, places: [tree, 'C:\\Users\\me\\out'] };

  it.each(['c:\\users\\ME\\Tree\\B', 'c:/users/me/TREE/b', 'B', '\\Users\\me\\tree\\b'])(
    '%s is the file b',
    async (given) => {
      expect(await wayInto(tree, given, [tree], diskOf(kind, []))).toMatchObject({ root: tree, names: ['b'] });
    },
  );

  it.each([
    ...['C:b', 'C:', 'c:b', '\\\\?\\C:\\Users\\me\\tree\\b', '\\\\.\\C:\\Users\\me\\tree\\b', '//?/C:/Users/me/tree/b'],
    ...['b.', 'b ', 'b::$DATA', 'b:s', 'NUL', 'nul.txt', 'dir/COM¹', 'CONIN$', 'new/aux.h', 'con .txt'],
    ...['..\\out\\b', '..\\tree2', 'C:\\Users\\me\\tree\\..\\out\\b', '\\b', 'D:\\b', '\\\\server\\share\\b'],
  ])('%s is refused', async (given) => {
    const disk = diskOf(kind, []);
    expect(await wayInto(tree, given, [tree], disk)).toBeNull();
    expect([...disk.touched].filter((root) => root !== 'C:\\')).toEqual([]);
  });

  it('a tree behind a link has two names, and a folder in another spelling is the same one', async () => {
    const disk = diskOf(kind, []);
    disk.add('C:\\work', { target: tree });
    for (const [own, given] of [
      ['C:\\work', 'c:\\WORK\\b'],
      ['c:\\WORK', 'C:\\Users\\me\\tree\\b'],
      ['c:\\users\\me\\tree', 'C:\\Users\\me\\tree\\b'],
    ] as const) {
      expect(await wayInto(own, given, [own], disk)).toMatchObject({ root: tree, names: ['b'], asked: ['b'] });
    }
  });

  it.each(['\\\\evil\\share\\x', '//evil/share/x', '\\\\?\\UNC\\evil\\share\\x', 'D:\\x', 'next'])(
    'a link to %s is not followed',
    async (target) => {
      const disk = diskOf(kind, []);
      disk.add(win32.join(tree, 'link'), { target });
      disk.add(win32.join(tree, 'next'), { target: '\\\\evil\\share\\x' });
      disk.touched.clear();
      expect(await wayInto(tree, 'link\\file', [tree], disk)).toBeNull();
      expect([...disk.touched]).toEqual(['C:\\']);
    },
  );

  it('a link to a device or a stream is not followed, and one that goes up does so in its text', async () => {
    const disk = diskOf(kind, []);
    disk.add(win32.join(tree, 'dir', 'deep'));
    for (const [name, target] of Object.entries({ nul: 'NUL', stream: 'new:s', down: 'dir\\deep', up: 'down\\..\\b' }))
      disk.add(win32.join(tree, name), { target });
    expect(await found(disk, tree, 'stream')).toBeNull();
    expect(await found(disk, tree, 'nul')).toBeNull();
    expect(await found(disk, tree, 'up')).toMatchObject({ names: ['b'] });
  });

  it('two folders whose names differ in a letter that lower case takes apart are two', async () => {
    const both = { ...kind, places: ['C:\\İ', 'C:\\i\u0307'] };
    expect(await found(diskOf(both, []), 'C:\\İ', 'C:\\i\u0307\\b')).toBeNull();
    expect(await found(diskOf(both, []), 'C:\\İ', 'C:\\İ\\b')).toMatchObject({ names: ['b'] });
  });
});

it('a folder that does not exist yet has its paths, but a link to one does not', async () => {
  const tree = '/home/me/tree';
  const disk = diskOf({ name: '', path: posix, fold: FOLDS.exact, places: [tree] }, []);
  disk.add('/home/me/link', { target: '/etc/new' });
  expect(await wayInto(tree, '/home/me/new/x', [tree, '/home/me/new'], disk)).toMatchObject({ names: ['x'] });
  await expect(wayInto(tree, '/home/me/link/x', [tree, '/home/me/link'], disk)).rejects.toThrow('ENOENT');
});

it('a link to a missing target inside is followed, and one that goes up from a missing folder is not', async () => {
  const tree = '/home/me/tree';
  const disk = diskOf({ name: '', path: posix, fold: FOLDS.exact, places: [tree] }, []);
  disk.add(`${tree}/later`, { target: 'dir/new' });
  disk.add(`${tree}/up`, { target: 'missing/../out/x' });
  disk.add(`${tree}/out`, { target: '/etc' });
  expect(await wayInto(tree, 'later', [tree], disk)).toMatchObject({ names: ['dir', 'new'] });
  expect(await found(disk, tree, 'up')).toBeNull();
});
