/** Commits of a job folded into earlier ones: the tip keeps its tree, and a conflict leaves the commits as they are. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GitFixture, gitFixture, plainGit } from '../../support/git/gitFixture.ts';

let f: GitFixture;
let baseline: string;
beforeEach(async () => {
  f = gitFixture({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  baseline = await f.cloned();
});
afterEach(() => f.remove());

const inGit = (...args: string[]): string => plainGit(f.folder, ['--git-dir', f.tree.gitDir, ...args]).trim();
const treeOf = (commit: string): string => inGit('rev-parse', `${commit}^{tree}`);

test('a fix is part of an earlier commit, the same at each repetition, and the tip keeps its tree', async () => {
  const before = await f.feature(baseline, { 'b.txt': 'before\n' }, 'Before');
  const first = await f.feature(before, { 'a.txt': 'two\n', 'new.txt': 'n\n' }, 'First\n\nMade.');
  const second = await f.feature(first, { 'c.bin': new Uint8Array([0, 255, 10]) }, 'Second');
  const head = await f.feature(second, { 'a.txt': 'three\n', 'new.txt': null }, 'First\n\nCorrected.');
  const options = { baseline, head, folds: [{ from: head, into: first }] };
  const folded = await f.git.foldCommits(f.tree, options);
  expect(folded.apart).toEqual([]);
  expect(await f.git.foldCommits(f.tree, options)).toEqual(folded);
  expect(treeOf(folded.head)).toBe(treeOf(head));
  expect(inGit('log', '--format=%s|%b', '--reverse', `${baseline}..${folded.head}`)).toBe(
    'Before|\nFirst|Made.\n\nCorrected.\n\nSecond|',
  );
  expect(inGit('log', '--format=%an %ae %at %cn %ct', '-1', `${folded.head}^`)).toBe(
    inGit('log', '--format=%an %ae %at %cn %ct', '-1', first),
  );
  expect(inGit('show', `${folded.head}^:a.txt`)).toBe('three');
  expect(inGit('rev-parse', `refs/heads/${f.tree.branch}`, `${folded.head}~2`)).toBe(`${folded.head}\n${before}`);
  const to = new Map(folded.moved.map((one) => [one.from, one.to]));
  expect([...to.keys()]).toEqual([first, head, second]);
  expect(to.get(first)).toBe(to.get(head));
  expect(inGit('fsck', '--strict', '--no-dangling')).toBe('');
});

test('a fix that conflicts with the commits in between stays apart, and the others are folded', async () => {
  const first = await f.feature(baseline, { 'a.txt': 'two\n' }, 'First');
  const second = await f.feature(first, { 'a.txt': 'three\n' }, 'Second');
  const third = await f.feature(second, { 'a.txt': 'four\n' }, 'First');
  const head = await f.feature(third, { 'b.txt': 'bb\n' }, 'Second');
  const folds = [
    { from: third, into: first },
    { from: head, into: second },
  ];
  const folded = await f.git.foldCommits(f.tree, { baseline, head, folds });
  expect(folded.apart).toEqual([folds[0]]);
  expect(treeOf(folded.head)).toBe(treeOf(head));
  expect(inGit('log', '--format=%s', '--reverse', `${baseline}..${folded.head}`)).toBe('First\nSecond\nFirst');
  const kept = await f.git.foldCommits(f.tree, { baseline, head: third, folds: folds.slice(0, 1) });
  expect(kept).toEqual({ head: third, moved: [], apart: [folds[0]] });
});

test('the paths of each commit are read, whatever they are named', async () => {
  const first = await f.feature(baseline, { 'a.txt': null, ':new/é "x"': 'n\n' }, 'First');
  const head = await f.feature(first, { [first]: 'named as a commit\n', 'b.txt': 'bb\n' }, 'Second');
  const own = await f.git.ownCommits(f.tree, { baseline, head });
  expect(own).toEqual([
    { id: first, message: 'First\n', paths: [':new/é "x"', 'a.txt'] },
    { id: head, message: 'Second\n', paths: [first, 'b.txt'].sort() },
  ]);
});

test('commits before a merge of the base are not looked at', async () => {
  const first = await f.feature(baseline, { 'a.txt': 'two\n' }, 'First');
  const merge = inGit('commit-tree', '-p', first, '-p', baseline, '-m', 'Merge', treeOf(first));
  const head = await f.feature(merge, { 'a.txt': 'three\n' }, 'Second');
  expect(await f.git.ownCommits(f.tree, { baseline, head })).toEqual([
    { id: head, message: 'Second\n', paths: ['a.txt'] },
  ]);
  expect(await f.git.ownCommits(f.tree, { baseline, head: first })).toHaveLength(1);
  expect(await f.git.ownCommits(f.tree, { baseline, head: baseline })).toEqual([]);
});
