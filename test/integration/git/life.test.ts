/** A job from clone to merge and back, with real git. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GitFixture, gitFixture, NEVER, plainGit } from '../../support/git/gitFixture.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';

let f: GitFixture;
beforeEach(() => {
  f = gitFixture();
});
afterEach(() => f.remove());

test('inspect names root, head, branch and what is dirty, from a subfolder too', async () => {
  f.write(f.repo, { 'a.txt': 'changed\n', 'new.txt': 'x', '.gitignore': 'ignored\n', ignored: 'x' });
  const facts = await f.git.inspect(join(f.repo, 'dir'));
  expect(facts).toEqual({
    root: f.repo,
    head: f.user('rev-parse', 'HEAD').trim(),
    branch: 'main',
    dirty: ['a.txt'],
    untracked: ['.gitignore', 'new.txt'],
    objections: [],
  });
});

test('the clone holds the baseline, and the agent has an ordinary git there', async () => {
  const baseline = await f.cloned();
  expect(baseline).toBe(f.user('rev-parse', 'HEAD').trim());
  expect(snapshotOf(f.tree.workTree)).toEqual(snapshotOf(f.repo));
  expect(plainGit(f.tree.workTree, ['status', '--porcelain', '--branch'])).toBe('## autonomous/j1\n');
  expect(plainGit(f.tree.workTree, ['log', '--format=%s', 'main'])).toBe('Start\n');
  plainGit(f.tree.workTree, ['commit', '-q', '--allow-empty', '-m', 'its own']);
  expect(await f.git.checkpoint(f.tree, baseline)).toBe(baseline);
});

test('the clone knows the tags of its history as commits, and no others', async () => {
  f.user('tag', 'plain/v1');
  f.user('tag', '-a', '-m', 'first', 'v1');
  f.user('tag', 'a-tree', 'HEAD^{tree}');
  f.user('tag', 'elsewhere', f.user('commit-tree', '-m', 'other', 'HEAD^{tree}').trim());
  const baseline = await f.cloned();
  const tags = plainGit(f.tree.workTree, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/tags']);
  expect(tags).toBe(`refs/tags/plain/v1 ${baseline}\nrefs/tags/v1 ${baseline}\n`);
  expect(plainGit(f.tree.workTree, ['fsck', '--strict', '--no-dangling'])).toBe('');
});

test('one commit per feature, a merge commit on the base, and the checkout follows', async () => {
  const baseline = await f.cloned();
  const first = await f.feature(baseline, { 'a.txt': 'one more\n' }, 'First feature\n\nJob j1');
  expect(await f.git.commit(f.tree, { parent: first, message: 'nothing' })).toBeNull();
  const second = await f.feature(first, { 'c/d.txt': 'new\n', dir: null }, 'Second feature');
  const result = await f.git.integrate(f.request(second));
  expect(result).toMatchObject({
    outcome: 'done',
    merge: { mode: 'merge', target: 'main', previous: baseline, checkedOut: true },
  });
  expect(f.user('log', '--format=%s|%an|%ae', '--first-parent', '-1')).toBe(
    'Merge job j1|Autonomous|autonomous@localhost\n',
  );
  expect(f.user('log', '--format=%s', 'autonomous/j1')).toBe('Second feature\nFirst feature\nStart\n');
  expect(f.user('status', '--porcelain')).toBe('');
  expect(snapshotOf(f.repo)).toEqual(snapshotOf(f.tree.workTree));
  expect(f.user('fsck', '--strict', '--no-dangling')).toBe('');

  if (result.outcome !== 'done') return;
  expect(await f.git.integrate(f.request(second))).toEqual(result);
  expect(await f.git.findMerge(f.request(second))).toEqual(result.merge);
  const back = await f.git.rollBack(f.tree, result.merge, 'Roll back job j1');
  expect(back).toMatchObject({ outcome: 'done' });
  expect(f.user('status', '--porcelain')).toBe('');
  expect(f.user('diff', '--stat', baseline, 'main')).toBe('');
  // A process killed before it told of it asks again: it is found, not done twice.
  expect(await f.adapter().rollBack(f.tree, result.merge, 'again')).toEqual(back);
  f.user('commit', '-q', '--allow-empty', '-m', 'built on it');
  expect(await f.git.rollBack(f.tree, result.merge, 'again')).toMatchObject({ outcome: 'refused' });
});

test('what stands on the merge and is no roll back of it is left alone', async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n', 'd.txt': 'ours too\n' });
  const result = await f.git.integrate(f.request(head));
  if (result.outcome !== 'done') throw new Error(result.outcome);
  f.user('rm', '-q', 'c.txt');
  f.user('commit', '-q', '-m', 'Half of it back');
  expect(await f.git.rollBack(f.tree, result.merge, 'back')).toMatchObject({ outcome: 'refused' });
});

test('a clone that was killed half-way is gone with the next one; nothing else is', async () => {
  const { workTree } = f.tree;
  const work = dirname(workTree);
  f.write(work, { 'killed/half.txt': 'x', 'killed/.git/HEAD': 'x' });
  f.write(dirname(work), { 'job_manifest.json': '{}' });
  await f.cloned();
  expect(readdirSync(work)).toEqual([basename(workTree)]);
  expect(existsSync(join(dirname(work), 'job_manifest.json'))).toBe(true);
  // Not the layout of a job: whose these are is not known.
  const elsewhere = { ...f.tree, workTree: join(f.folder, 'other', 'clone') };
  f.write(join(f.folder, 'other'), { 'mine.txt': 'x' });
  await f.git.makeClone(elsewhere, { snapshot: false, signal: NEVER });
  expect(readdirSync(join(f.folder, 'other')).sort()).toEqual(['clone', 'mine.txt']);
});

test('the identity of the repository is used when it has one', async () => {
  f.user('config', 'user.name', 'Ada <x> \\ "L" B');
  f.user('config', 'user.email', 'ada@example.org');
  const commit = await f.feature(await f.cloned(), { 'x.txt': 'x' });
  expect(plainGit(f.tree.gitDir, ['log', '-1', '--format=%an|%ae|%cn', commit])).toBe(
    'Ada x \\ "L" B|ada@example.org|Ada x \\ "L" B\n',
  );
});

test('a branch, and a patch that applies', async () => {
  const baseline = await f.cloned();
  const commit = await f.feature(baseline, {
    'a.txt': 'latin \xe9\n',
    bin: new Uint8Array([0, 1, 2, 255]),
    latin: Buffer.from([0xe9, 10]),
  });
  const before = snapshotOf(f.repo);
  expect(await f.git.integrate(f.request(commit, { mode: 'branch' }))).toMatchObject({
    outcome: 'done',
    merge: { mode: 'branch', target: 'autonomous/j1', commit, previous: null },
  });
  expect(await f.git.findMerge(f.request(commit, { mode: 'branch' }))).toMatchObject({ mode: 'branch', commit });
  const patchNote = '# `npm test` fails on the result: diff --git a/x b/x\n';
  const patch = f.request(commit, { mode: 'patch', patchNote });
  expect(await f.git.findMerge(patch)).toBeNull();
  expect(await f.git.integrate(patch)).toMatchObject({
    outcome: 'done',
    merge: { target: patch.patchFile, commit: null },
  });
  expect(await f.git.findMerge(patch)).toMatchObject({ mode: 'patch' });
  expect(snapshotOf(f.repo)).toEqual(before);
  expect(readFileSync(patch.patchFile, 'utf8').startsWith(`${patchNote}diff --git `)).toBe(true);
  f.user('apply', '--index', patch.patchFile);
  expect(f.user('write-tree').trim()).toBe(f.user('rev-parse', `${commit}^{tree}`).trim());
  expect(existsSync(`${patch.patchFile}.part`)).toBe(false);
});

test('checkpoint and restore: the tree is exactly the commit, ignored files stay', async () => {
  f.write(f.repo, { '.gitignore': 'node_modules/\n' });
  f.commitAll('ignore');
  const baseline = await f.cloned();
  f.write(f.tree.workTree, { 'node_modules/m.js': 'm', 'n.txt': 'n', 'a.txt': 'two\n' });
  const point = await f.git.checkpoint(f.tree, baseline);
  expect(point).not.toBe(baseline);
  expect(await f.git.checkpoint(f.tree, point)).toBe(point);
  expect(await f.adapter().checkpoint(f.tree, point)).toBe(point);
  const at = snapshotOf(f.tree.workTree);
  f.write(f.tree.workTree, {
    'n.txt': null,
    'n.txt/deep': 'file became folder',
    dir: null,
    more: 'x',
    '.gitignore': 'more\n',
  });
  await f.git.restore(f.tree, point);
  expect(snapshotOf(f.tree.workTree)).toEqual(at);
  await f.git.restore(f.tree, baseline);
  expect(readFileSync(join(f.tree.workTree, 'a.txt'), 'utf8')).toBe('one\n');
  expect(existsSync(join(f.tree.workTree, 'node_modules/m.js'))).toBe(true);
});

test('diff, stat and paths', async () => {
  const baseline = await f.cloned();
  const commit = await f.feature(baseline, { 'a.txt': 'two\n', 'q"uo\nte': 'x\n', bin: new Uint8Array([0, 1]) });
  const diff = await f.git.diff(f.tree, baseline, commit, 100_000);
  expect(diff).toContain('-one\n+two\n');
  expect(diff).toContain('"b/q\\"uo\\nte"');
  expect(diff).toContain('Binary files /dev/null and b/bin differ');
  expect(await f.git.diff(f.tree, baseline, commit, 60)).toMatch(/\n\[diff cut: it is longer than 60 bytes\]\n$/);
  expect(await f.git.diffStat(f.tree, baseline, commit)).toContain('3 files changed');
  expect(await f.git.changedPaths(f.tree, baseline, commit)).toEqual(['a.txt', 'bin', 'q"uo\nte']);
  const regular = '100644';
  expect(await f.git.changedFiles(f.tree, baseline, commit)).toEqual([
    { path: 'a.txt', modes: [regular, regular], lines: 2 },
    { path: 'bin', modes: ['000000', regular], lines: null },
    { path: 'q"uo\nte', modes: ['000000', regular], lines: 1 },
  ]);
  expect(await f.git.textAt(f.tree, commit, 'a.txt', 100)).toBe('two\n');
  expect(await f.git.textAt(f.tree, commit, 'nope', 100)).toBeNull();
});
