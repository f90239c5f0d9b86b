/** T9: whatever path is given to whoever takes one, nothing beyond the tree is read, made, changed or removed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namedFile } from '../../src/adapters/files/namedFile.ts';
import { findRipgrep } from '../../src/adapters/platform/ripgrep.ts';
import { openTree } from '../../src/adapters/tree/treeFiles.ts';
import { executablePaths } from '../../src/core/guard/executablePaths.ts';
import { isGitName, isOtherOnWindows, isSecretName, isStateName } from '../../src/core/guard/hiddenNames.ts';
import type { OpenTree } from '../../src/engine/session/ports.ts';
import { wayInTree } from '../../src/engine/session/tools/confine.ts';
import { DEVICES, FLAGGED, GIT_NAMES, hostilePaths, STATE_NAMES } from '../support/hostilePaths/corpus.ts';
import { LinkedTree } from '../support/hostilePaths/linkedTree.ts';
import { type PathTaker, takersOf } from '../support/hostilePaths/takers.ts';
import { type Broken, type Tried, tryPaths } from '../support/hostilePaths/tryPaths.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, randomOf, SEED } from '../support/suite/proof.ts';

const RANDOM = amount({ short: 50, long: 1_500 });
/** Of the paths each taker is given one of so many; of these one of so many, when it starts a program for each. */
const SHARE = amount({ short: 8, long: 1 });
const SLOW_SHARE = amount({ short: 16, long: 8 });

let folder: string;
let world: LinkedTree;
beforeAll(() => {
  // Short, for the sake of the socket.
  folder = mkdtempSync(join(tmpdir(), 'ap-'));
  world = new LinkedTree(folder);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const paths = (): string[] => hostilePaths(world.tree, world.outside, RANDOM, SEED);

/** What hangs or reads without end in a program that we start for it. */
const TRAPS = ['fifo', 'socket', 'sparse', 'device', 'loop', 'out-dir', 'to-state'];

/** Each path by each taker, who knows the tree by one of its names; in the long form by each of them. */
async function tryAll(open: OpenTree, wanted: (taker: PathTaker) => boolean = () => true): Promise<Tried[]> {
  const tried: Tried[] = [];
  const all = paths();
  const random = randomOf(SEED);
  for (const [which, root] of world.names.entries()) {
    for (const [at, taker] of takersOf(world, root, open).entries()) {
      if (!wanted(taker) || (!LONG && at % world.names.length !== which)) continue;
      const own = all.filter((_, index) => LONG || index % SHARE === at % SHARE);
      const kept = taker.slow ? [...own.filter(() => random(SLOW_SHARE) === 0), ...TRAPS] : own;
      tried.push(await tryPaths(world, taker, kept));
    }
  }
  return tried;
}

const told = ({ taker, what, paths: of, detail }: Broken): string =>
  `${taker} ${what}: ${JSON.stringify(of.map((path) => path.slice(0, 60))).slice(0, 200)} ${detail}`;

const sum = (tried: readonly Tried[], of: 'inputs' | 'refused'): number =>
  tried.reduce((total, one) => total + one[of], 0);

test(`no path leads out, whoever takes it (seed ${SEED})`, async () => {
  expect(paths().length).toBeGreaterThanOrEqual(600);
  const rg = findRipgrep({});
  if (rg === null) throw new Error('there is no ripgrep for this platform');
  const tried = await tryAll((tree) => openTree(tree, rg));
  const broken = tried.flatMap((one) => one.broken);
  const count = (value: number, what: string, aim: Parameters<typeof figure>[0]['aim']): void =>
    figure({ method: 'T9', what, value, unit: '', aim });
  count(paths().length, 'hostile paths', { atLeast: 600 });
  count(takersOf(world, world.tree, openTree).length, 'takers of paths', { atLeast: 6 });
  count(sum(tried, 'inputs'), 'hostile inputs tried: paths × takers × names of the tree', { atLeast: 1_800 });
  count(sum(tried, 'refused'), 'of these refused with a typed reason', null);
  count(broken.length, 'paths that led out, hung, or failed without a type', { atMost: 0 });
  expect(broken.slice(0, 20).map(told), `seed ${SEED}`).toEqual([]);
});

describe('names', () => {
  test('are known under every spelling that some file system takes for them', () => {
    expect(GIT_NAMES.filter((name) => !isGitName(name))).toEqual([]);
    expect(STATE_NAMES.filter((name) => !isStateName(name))).toEqual([]);
    expect(FLAGGED.filter((path) => executablePaths([path]).length === 0)).toEqual([]);
    expect(
      DEVICES.flatMap((name) => [name, `${name.toLowerCase()}.txt`]).filter((name) => !isOtherOnWindows(name)),
    ).toEqual([]);
    for (const name of [
      'README.md',
      '.gitignore',
      'console.ts',
      'nul-ptr.c',
      'a b',
      '.env.example',
      'autonomous',
      'git',
    ]) {
      expect(
        [isGitName, isStateName, isSecretName, isOtherOnWindows].some((judge) => judge(name)),
        name,
      ).toBe(false);
    }
  });

  test('of a tree may be those of the links that lead to it', async () => {
    world.grow();
    for (const root of world.names) {
      const files = openTree(root);
      for (const path of ['new/a.txt', join(root, 'new', 'b.txt'), join(world.tree, 'new', 'c.txt'), 'in-dir/d.txt']) {
        await files.write(path, path);
        expect(await files.read(path, { maxBytes: 1_000, lines: null, hidden: isStateName })).toBe(path);
        expect(await files.wayInto(path, [root])).not.toBeNull();
      }
    }
    expect(readFileSync(join(world.tree, 'dir', 'd.txt'), 'utf8')).toBe('in-dir/d.txt');
  });

  test('of a tree in a folder of the state are judged from the tree on', async () => {
    const tree = join(world.root, '.autonomous', 'jobs', 'tree');
    mkdirSync(join(tree, '.autonomous'), { recursive: true });
    const files = openTree(tree);
    const bounds = { maxBytes: 1_000, lines: null, hidden: isStateName };
    await files.write(join(tree, 'a.txt'), 'a');
    expect(await files.read(join(tree, 'a.txt'), bounds)).toBe('a');
    expect(await wayInTree({ workdir: tree, project: null, files }, join(tree, 'a.txt'))).toBe('a.txt');
    for (const path of [join(tree, '.autonomous', 'a'), join(tree, '.Autonomous.', 'a'), '.autonomous/a']) {
      await expect(files.write(path, 'a')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
      await expect(files.read(path, bounds)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
      await expect(wayInTree({ workdir: tree, project: null, files }, path)).rejects.toBeInstanceOf(ToolError);
    }
    rmSync(join(world.root, '.autonomous'), { recursive: true });
  });

  test('of a hard link are the file itself: what is written is another one', async () => {
    world.grow();
    await openTree(world.tree).write('hard', 'mine');
    expect(readFileSync(join(world.outside, 'shared.txt'), 'utf8')).toBe('shared\n');
    expect(readFileSync(join(world.tree, 'hard'), 'utf8')).toBe('mine');
  });
});

test('a file that a person names is read to its bound and no further', async () => {
  world.grow();
  for (const name of ['sparse', 'device']) {
    await expect(namedFile(join(world.tree, name))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  await expect(namedFile(join(world.tree, 'dangling'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await namedFile(join(world.tree, 'in-link'))).toBe('old\ntext\n');
});

planted('a path is judged as it was given, before it is resolved', async () => {
  const bug = {
    file: 'src/adapters/tree/treeFiles.ts',
    find: "[...asked.flatMap((one) => one.split('\\\\')), ...names]",
    put: '[...asked]',
  };
  using built = await buildWith(bug, ['src/adapters/tree/treeFiles.ts']);
  const { openTree: planted } = (await import(built.program('treeFiles').href)) as { readonly openTree: OpenTree };
  const links = paths().filter((path) => path.startsWith('to-'));
  const [write] = takersOf(world, world.tree, planted).filter(({ name }) => name === 'write');
  if (write === undefined) throw new Error('nobody writes');
  expect((await tryPaths(world, write, links)).broken.map(({ what }) => what)).toContain('touched');
});
