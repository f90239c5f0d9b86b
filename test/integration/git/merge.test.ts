/** What stands between an approved commit and the user's branch. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dieAfterSwap, type GitFixture, gitFixture, NEVER, plainGit } from '../../support/git/gitFixture.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';

let f: GitFixture;
beforeEach(() => {
  f = gitFixture();
});
afterEach(() => f.remove());

const main = () => f.user('rev-parse', 'main').trim();

test('a moved base is merged in the clone first, and both sides survive', async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  f.write(f.repo, { 'a.txt': 'theirs\n' });
  const base = f.commitAll('Theirs');
  expect(await f.git.integrate(f.request(head))).toEqual({ outcome: 'moved', base });
  expect(main()).toBe(base);
  const merged = await f.git.mergeBase(f.tree, { head, baseBranch: 'main', message: 'Merge main' });
  expect(merged).toMatchObject({ outcome: 'clean', base });
  if (merged.outcome !== 'clean') return;
  expect(readFileSync(join(f.tree.workTree, 'a.txt'), 'utf8')).toBe('theirs\n');
  expect(await f.git.mergeBase(f.tree, { head: merged.head, baseBranch: 'main', message: 'x' })).toEqual({
    outcome: 'clean',
    head: merged.head,
    base,
  });
  expect(await f.git.integrate(f.request(merged.head))).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
  expect(readFileSync(join(f.repo, 'c.txt'), 'utf8')).toBe('ours\n');
  expect(f.user('status', '--porcelain')).toBe('');
});

test('a conflict names both sides and changes nothing', async () => {
  const head = await f.feature(await f.cloned(), { 'a.txt': 'ours\n', 'dir/b.txt': null });
  f.write(f.repo, { 'a.txt': 'theirs\n', 'dir/b.txt': 'edited\n' });
  const base = f.commitAll('Theirs');
  const [clone, repo] = [snapshotOf(f.tree.workTree), snapshotOf(f.repo)];
  const merged = await f.git.mergeBase(f.tree, { head, baseBranch: 'main', message: 'x' });
  expect(merged).toEqual({ outcome: 'conflict', base, ours: head, paths: ['a.txt', 'dir/b.txt'] });
  expect([snapshotOf(f.tree.workTree), snapshotOf(f.repo)]).toEqual([clone, repo]);
});

test('a crash after the swap is found in the refs', async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  f.user('checkout', '-q', '--detach');
  const dying = f.adapter({ points: { afterSwap: () => Promise.reject(new Error('killed')) } });
  expect(await f.git.findMerge(f.request(head))).toBeNull();
  await expect(dying.integrate(f.request(head))).rejects.toThrow('killed');
  const found = await f.git.findMerge(f.request(head));
  expect(found).toMatchObject({ mode: 'merge', commit: main(), checkedOut: false });
  expect(await f.git.integrate(f.request(head))).toEqual({ outcome: 'done', merge: found });
});

test('a crash in the middle of moving the checkout is finished at the next start', async () => {
  const head = await f.feature(await f.cloned(), {
    'a.txt': 'changed\n',
    'dir/b.txt': null,
    'new/c.txt': 'c\n',
    'new/d.txt': 'd\n',
  });
  await dieAfterSwap(f, head, () => {
    // half of it was written
    f.write(f.repo, { 'a.txt': 'changed\n', 'new/c.txt': 'c\n' });
  });
  expect(await f.git.findMerge(f.request(head))).toMatchObject({ commit: main(), checkedOut: true, note: null });
  expect(f.user('status', '--porcelain')).toBe('');
  expect(existsSync(join(f.repo, 'dir'))).toBe(false);
  expect(existsSync(join(f.repo, '.git/index.lock'))).toBe(false);
  expect(existsSync(join(f.tree.gitDir, 'move.json'))).toBe(false);
});

test('what the user wrote after such a crash is left alone, and said', async () => {
  const head = await f.feature(await f.cloned(), { 'a.txt': 'changed\n', 'new.txt': 'x\n' });
  await dieAfterSwap(f, head, () => f.write(f.repo, { 'a.txt': 'mine\n' }));
  const before = snapshotOf(f.repo);
  const found = await f.git.findMerge(f.request(head));
  expect(found).toMatchObject({ commit: main(), checkedOut: false });
  expect(found?.note).toContain('"a.txt" may be yours');
  expect(snapshotOf(f.repo)).toEqual(before);
  expect(existsSync(join(f.repo, '.git/index.lock'))).toBe(false);
});

test('a move that was cut short waits for a git of the user, and takes no branch of his that he has left', async () => {
  const head = await f.feature(await f.cloned(), { 'a.txt': 'changed\n' });
  const [journal, lock] = [join(f.tree.gitDir, 'move.json'), join(f.repo, '.git/index.lock')];
  await dieAfterSwap(f, head, () => writeFileSync(lock, ''));
  expect(await f.git.recoverFastForward(f.tree)).toMatch(/another git is at work/);
  expect([existsSync(journal), readFileSync(lock, 'utf8')]).toEqual([true, '']);
  await expect(f.git.makeClone(f.tree, { snapshot: false, signal: NEVER })).rejects.toThrow('another git is at work');
  rmSync(lock);
  f.user('checkout', '-q', '-f', '-b', 'elsewhere', 'main^1');
  const before = snapshotOf(f.repo);
  expect(await f.git.recoverFastForward(f.tree)).toBeNull();
  expect(snapshotOf(f.repo)).toEqual(before);
  expect([existsSync(journal), existsSync(lock)]).toEqual([false, false]);
});

test('what was staged, and a file where a folder comes, are left alone by the next start', async () => {
  const head = await f.feature(await f.cloned(), { 'a.txt': 'changed\n', 'new/c.txt': 'c\n' });
  await dieAfterSwap(f, head, () => {
    rmSync(join(f.repo, '.git/index.lock'));
    f.write(f.repo, { new: 'mine\n' });
  });
  const [kept, journal] = [snapshotOf(f.repo), readFileSync(join(f.tree.gitDir, 'move.json'))];
  expect(await f.git.recoverFastForward(f.tree)).toContain('"new/c.txt" may be yours');
  expect(snapshotOf(f.repo)).toEqual(kept);
  f.write(f.repo, { new: null, 'staged.txt': 'x' });
  f.user('add', 'staged.txt');
  writeFileSync(join(f.tree.gitDir, 'move.json'), journal);
  expect(await f.git.recoverFastForward(f.tree)).toContain('what is staged may be yours');
  expect(f.user('diff', '--cached', '--name-only')).toContain('staged.txt');
  expect(existsSync(join(f.repo, '.git/index.lock'))).toBe(false);
});

test("someone else's index lock refuses, and stays", async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  writeFileSync(join(f.repo, '.git/index.lock'), '');
  expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'refused' });
  expect(existsSync(join(f.repo, '.git/index.lock'))).toBe(true);
});

test('staged work refuses the merge, not the branch; unrelated untracked files do not', async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  f.write(f.repo, { 'staged.txt': 'x', 'loose.txt': 'y' });
  f.user('add', 'staged.txt');
  const before = snapshotOf(f.repo);
  expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'refused' });
  expect(await f.git.integrate(f.request(head, { mode: 'branch' }))).toMatchObject({ outcome: 'done' });
  expect(snapshotOf(f.repo)).toEqual(before);
  f.user('rm', '-q', '--cached', 'staged.txt');
  expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
  expect(readFileSync(join(f.repo, 'loose.txt'), 'utf8')).toBe('y');
});

test('a file saved in the last moment takes the merge back', async () => {
  const head = await f.feature(await f.cloned(), { 'a.txt': 'ours\n' });
  const start = main();
  const racing = f.adapter({ points: { beforeSwap: async () => f.write(f.repo, { 'a.txt': 'typed just now\n' }) } });
  expect(await racing.integrate(f.request(head))).toMatchObject({ outcome: 'refused' });
  expect(main()).toBe(start);
  expect(readFileSync(join(f.repo, 'a.txt'), 'utf8')).toBe('typed just now\n');
  expect(f.user('status', '--porcelain')).toBe(' M a.txt\n');
});

test('folders become files and back, links and modes come along', async () => {
  f.write(f.repo, { 'swap/in.txt': 'x\n', flat: 'y\n' });
  f.commitAll('more');
  const head = await f.cloned();
  plainGit(f.tree.workTree, ['rm', '-rq', 'swap', 'flat']);
  f.write(f.tree.workTree, { swap: 'now a file\n', 'flat/deep.txt': 'now a folder\n', 'run.sh': '#!/bin/sh\n' });
  const { chmodSync, symlinkSync } = await import('node:fs');
  chmodSync(join(f.tree.workTree, 'run.sh'), 0o755);
  symlinkSync('a.txt', join(f.tree.workTree, 'link'));
  const commit = await f.feature(head, {});
  expect(await f.git.integrate(f.request(commit))).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
  expect(snapshotOf(f.repo)).toEqual(snapshotOf(f.tree.workTree));
  expect(f.user('status', '--porcelain')).toBe('');
});

test('a linked work tree: found, worked in, and moved', async () => {
  const linked = join(f.folder, 'linked');
  f.user('worktree', 'add', '-q', '-b', 'side', linked);
  const tree = { ...f.tree, projectDir: linked };
  expect(await f.git.inspect(linked)).toMatchObject({ root: linked, branch: 'side' });
  const { head } = await f.git.makeClone(tree, { snapshot: false, signal: NEVER });
  const commit = await f.feature(head, { 'c.txt': 'ours\n' });
  const fromMain = f.request(commit, { baseBranch: 'side' });
  expect(await f.git.integrate({ ...fromMain, tree })).toMatchObject({
    outcome: 'done',
    merge: { target: 'side', checkedOut: true },
  });
  expect(plainGit(linked, ['status', '--porcelain'])).toBe('');
  expect(existsSync(join(linked, 'c.txt'))).toBe(true);
  expect(f.user('status', '--porcelain')).toBe('');
});

test('a base that is not checked out moves alone; a detached HEAD needs a branch', async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  f.user('checkout', '-q', '-b', 'elsewhere');
  expect(await f.git.integrate(f.request(head, { baseBranch: null }))).toMatchObject({ outcome: 'refused' });
  const before = snapshotOf(f.repo);
  expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'done', merge: { checkedOut: false } });
  expect(snapshotOf(f.repo)).toEqual(before);
  expect(f.user('show', 'main:c.txt')).toBe('ours\n');
});

test("branches in the way: other commits on the job's name, or a branch `autonomous`", async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  const start = main();
  f.user('branch', 'autonomous');
  expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'refused' });
  f.user('branch', '-D', '-q', 'autonomous');
  f.user('update-ref', 'refs/heads/autonomous/j1', f.user('commit-tree', '-m', 'other', 'main^{tree}').trim());
  expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'refused' });
  expect(main()).toBe(start);
});

test('roll back is refused when something was built on the merge, and for a branch', async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  const done = await f.git.integrate(f.request(head));
  if (done.outcome !== 'done') throw new Error(done.outcome);
  f.write(f.repo, { 'a.txt': 'dirty\n' });
  expect(await f.git.rollBack(f.tree, done.merge, 'back')).toMatchObject({ outcome: 'refused' });
  f.commitAll('built on it');
  const tip = main();
  expect(await f.git.rollBack(f.tree, done.merge, 'back')).toMatchObject({ outcome: 'refused' });
  expect(await f.git.rollBack(f.tree, { ...done.merge, mode: 'branch' }, 'back')).toMatchObject({ outcome: 'refused' });
  expect(main()).toBe(tip);
});

test('a deleted clone is CLONE_MISSING, and a merge of it can still be found and taken back', async () => {
  const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n' });
  const done = await f.git.integrate(f.request(head));
  f.write(f.folder, { job: null });
  for (const call of [
    () => f.git.checkpoint(f.tree, head),
    () => f.git.restore(f.tree, head),
    () => f.git.commit(f.tree, { parent: head, message: 'x' }),
    () => f.git.diff(f.tree, head, head, 10),
    () => f.git.mergeBase(f.tree, { head, baseBranch: 'main', message: 'x' }),
    () => f.git.integrate(f.request(head, { mode: 'branch' })),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'CLONE_MISSING' });
  }
  if (done.outcome !== 'done') throw new Error(done.outcome);
  expect(await f.git.findMerge(f.request(head))).toEqual(done.merge);
  expect(await f.git.rollBack(f.tree, done.merge, 'back')).toMatchObject({ outcome: 'done' });
});

test('what is no commit id or branch of ours never reaches git', async () => {
  const head = await f.cloned();
  const hostile = ['--output=/tmp/x', 'HEAD', '-h', `${head}\n`, `${head}^`, '', '@{-1}'];
  for (const id of hostile) {
    await expect(f.git.restore(f.tree, id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(f.git.diff(f.tree, id, head, 10)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(f.git.integrate(f.request(id))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  for (const baseBranch of ['--all', 'a b', 'x\ny', 'a..b', 'HEAD', 'x:y', '@{u}']) {
    await expect(f.git.baseTip(f.repo, baseBranch)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  await expect(f.git.baseTip(f.repo, 'nope')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(f.git.advance({ ...f.tree, branch: 'main' }, { from: head, to: head })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  for (const id of hostile) {
    await expect(f.git.advance(f.tree, { from: head, to: id })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(f.git.contains(f.tree, head, [id])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
});
