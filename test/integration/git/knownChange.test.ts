/** Checkpoints of known files, made without git: the same trees as git's own, or git's own. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GitFixture, gitFixture, plainGit } from '../../support/git/gitFixture.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';
import { randomOf, SEED } from '../../support/suite/proof.ts';

let f: GitFixture;
let baseline: string;
beforeEach(async () => {
  f = gitFixture({
    'a.txt': 'one\n',
    'dir/b.txt': 'two\n',
    '.gitignore': 'ignored/\n*.log\n',
    '.gitattributes': '*.crlf text\n',
  });
  // Checkpoints by git are in the name of the user, ours are not.
  f.user('config', 'user.name', 'User');
  f.user('config', 'user.email', 'user@example.org');
  baseline = await f.cloned();
});
afterEach(() => f.remove());

const inGit = (...args: string[]): string => plainGit(f.tree.gitDir, args).trim();
const treeOf = (commit: string): string => inGit('rev-parse', `${commit}^{tree}`);
const byUs = (commit: string): boolean => inGit('log', '-1', '--format=%an', commit) === 'Autonomous';

/** A checkpoint of these paths, and whether it was made without git. It is what git would make. */
async function checkpoint(
  last: string,
  paths: readonly string[],
): Promise<{ readonly commit: string; readonly quick: boolean }> {
  const commit = await f.git.checkpoint(f.tree, last, paths);
  expect(treeOf(commit)).toBe(treeOf(await f.adapter().checkpoint(f.tree, last)));
  return { commit, quick: commit !== last && byUs(commit) };
}

test(`any order of writes comes to the trees that git makes of them, seed ${SEED}`, async () => {
  const random = randomOf(SEED);
  const names = ['a', 'a.b', 'a-b', 'a0', 'B', 'b c', 'deep'];
  const some = (): string => names[random(names.length)] ?? 'a';
  let last = baseline;
  const known = new Set<string>();
  for (let nth = 0; nth < 25; nth++) {
    const paths: string[] = [];
    for (let left = 1 + random(3); left > 0; left--) {
      const path = `${'nested/'.repeat(random(3))}${some()}/${some()}.txt`;
      f.write(f.tree.workTree, { [path]: `${nth} ${left} ${random(1_000_000)}\n` });
      if (random(3) === 0) chmodSync(join(f.tree.workTree, path), 0o755);
      paths.push(path);
      known.add(path);
    }
    const commit = await f.git.checkpoint(f.tree, last, paths);
    expect(inGit('log', '-1', '--format=%an %P %s', commit)).toBe(`Autonomous ${last} Checkpoint`);
    last = commit;
  }
  expect(treeOf(last)).toBe(treeOf(await f.adapter().checkpoint(f.tree, baseline)));
  expect(await f.git.checkpoint(f.tree, last, [...known])).toBe(last);
  expect(await f.git.checkpoint(f.tree, last, [])).toBe(last);
  expect(inGit('fsck', '--strict', '--no-dangling')).toBe('');
  const now = snapshotOf(f.tree.workTree);
  await f.git.restore(f.tree, baseline);
  await f.git.restore(f.tree, last);
  expect(snapshotOf(f.tree.workTree)).toEqual(now);
});

const LEFT: Readonly<Record<string, { readonly paths: readonly string[]; make(tree: string): void }>> = {
  'a new file that is ignored': {
    paths: ['a.txt', 'x.log'],
    make: (tree) => f.write(tree, { 'a.txt': 'changed\n', 'x.log': 'x\n' }),
  },
  'rules of what is ignored': {
    paths: ['.gitignore'],
    make: (tree) => f.write(tree, { '.gitignore': '', 'x.log': 'x\n' }),
  },
  'line ends that attributes change': { paths: ['x.crlf'], make: (tree) => f.write(tree, { 'x.crlf': 'a\r\nb\r\n' }) },
  'a file that is gone': { paths: ['a.txt'], make: (tree) => rmSync(join(tree, 'a.txt')) },
  'a link in place of a file': {
    paths: ['a.txt'],
    make(tree) {
      rmSync(join(tree, 'a.txt'));
      symlinkSync('dir/b.txt', join(tree, 'a.txt'));
    },
  },
  'a link in place of a folder': {
    paths: ['dir/b.txt'],
    make(tree) {
      f.write(tree, { dir: null, 'other/b.txt': 'x\n' });
      symlinkSync('other', join(tree, 'dir'));
    },
  },
  'a folder in place of a file': {
    paths: ['a.txt/x'],
    make: (tree) => f.write(tree, { 'a.txt': null, 'a.txt/x': 'x\n' }),
  },
  'a file in place of a folder': { paths: ['dir'], make: (tree) => f.write(tree, { dir: null }) },
  'files that are large together': {
    paths: ['one', 'two'],
    make: (tree) => f.write(tree, { one: 'x'.repeat(600_000), two: 'x'.repeat(600_000) }),
  },
  'a large file': { paths: ['large'], make: (tree) => f.write(tree, { large: 'x'.repeat(1_000_001) }) },
  'a name that is not plain': { paths: ['ä.txt'], make: (tree) => f.write(tree, { 'ä.txt': 'x\n' }) },
  'state of Autonomous': {
    paths: ['.autonomous/x'],
    make: (tree) => f.write(tree, { '.autonomous/x': 'x\n', 'y.txt': 'y\n' }),
  },
  'a file in a repository of its own': {
    paths: ['inner/x.txt'],
    make(tree) {
      mkdirSync(join(tree, 'inner'));
      plainGit(join(tree, 'inner'), ['init', '-q']);
      f.write(tree, { 'inner/x.txt': 'x\n' });
    },
  },
  'more files than a round writes': {
    paths: Array.from({ length: 51 }, (_, nth) => `many/${nth}`),
    make: (tree) => f.write(tree, Object.fromEntries(Array.from({ length: 51 }, (_, nth) => [`many/${nth}`, 'x\n']))),
  },
};

test.each(Object.keys(LEFT))('%s is left to git', async (name) => {
  const { paths, make } = LEFT[name] ?? { paths: [], make: () => undefined };
  make(f.tree.workTree);
  expect((await checkpoint(baseline, paths)).quick).toBe(false);
});

/** What an index of its own would make of the clone. */
function asItLies(): string {
  const env = {
    ...process.env,
    GIT_INDEX_FILE: join(f.folder, 'own-index'),
    GIT_DIR: f.tree.gitDir,
    GIT_WORK_TREE: f.tree.workTree,
  };
  execFileSync('git', ['add', '--all'], { cwd: f.tree.workTree, env });
  return execFileSync('git', ['write-tree'], { cwd: f.tree.workTree, env, encoding: 'utf8' }).trim();
}

test('once git has looked at the tree, a listing finds what else changed, and what changed back', async () => {
  f.write(f.tree.workTree, { 'a.txt': 'two\n' });
  const first = await f.git.checkpoint(f.tree, baseline);
  expect(byUs(first)).toBe(false);
  f.write(f.tree.workTree, { 'a.txt': 'three\n', 'new/x.txt': 'x\n', 'x.log': 'ignored\n' });
  chmodSync(join(f.tree.workTree, 'dir/b.txt'), 0o755);
  const second = await f.git.checkpoint(f.tree, first);
  expect([byUs(second), treeOf(second)]).toEqual([true, asItLies()]);
  // As the index still has it, unlike the last checkpoint; and one that was written by a tool.
  f.write(f.tree.workTree, { 'a.txt': 'two\n', 'new/y.txt': 'y\n' });
  const third = await f.git.checkpoint(f.tree, second, ['new/y.txt']);
  expect(byUs(third)).toBe(true);
  const fourth = await f.git.checkpoint(f.tree, third);
  expect([byUs(fourth), treeOf(fourth)]).toEqual([true, asItLies()]);
  expect(inGit('diff', '--name-only', third, fourth)).toBe('a.txt');
  expect(await f.git.checkpoint(f.tree, fourth)).toBe(fourth);
  // From another commit, after a deletion, and after another process wrote the index, git looks itself.
  expect(treeOf(await f.git.checkpoint(f.tree, first))).toBe(asItLies());
  f.write(f.tree.workTree, { new: null });
  const fifth = await f.git.checkpoint(f.tree, fourth);
  expect([byUs(fifth), treeOf(fifth)]).toEqual([false, asItLies()]);
  f.write(f.tree.workTree, { 'a.txt': 'four\n' });
  await f.adapter().checkpoint(f.tree, fifth);
  const sixth = await f.git.checkpoint(f.tree, fifth);
  expect([byUs(sixth), treeOf(sixth)]).toEqual([false, asItLies()]);
});

test('after a restore a listing is enough', async () => {
  f.write(f.tree.workTree, { 'a.txt': 'two\n', 'new/x.txt': 'x\n' });
  const first = await f.git.checkpoint(f.tree, baseline, ['a.txt', 'new/x.txt']);
  await f.git.restore(f.tree, baseline);
  await f.git.restore(f.tree, first);
  f.write(f.tree.workTree, { 'new/z.txt': 'z\n' });
  const second = await f.git.checkpoint(f.tree, first);
  expect([byUs(second), treeOf(second)]).toEqual([true, asItLies()]);
});

test('git sees the whole tree again after checkpoints that it does not know of', async () => {
  f.write(f.tree.workTree, { 'a.txt': 'two\n', 'new/x.txt': 'x\n' });
  const first = await checkpoint(baseline, ['a.txt', 'new/x.txt']);
  expect(first.quick).toBe(true);
  // As the index has it, and unlike the last checkpoint.
  f.write(f.tree.workTree, { 'a.txt': 'one\n', new: null, 'dir/b.txt': 'three\n' });
  const second = await f.git.checkpoint(f.tree, first.commit);
  expect(inGit('diff', '--name-status', baseline, second)).toBe('M\tdir/b.txt');
  const commit = await f.git.commit(f.tree, { parent: baseline, message: 'Feature', of: first.commit });
  expect(treeOf(commit ?? '')).toBe(treeOf(first.commit));
  expect(f.git.tooLarge(f.tree)).toEqual([]);
});
