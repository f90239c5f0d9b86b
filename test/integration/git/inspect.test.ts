/** Which repositories can be worked on, and what is said about the others. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GitFixture, gitFixture, NEVER, plainGit } from '../../support/git/gitFixture.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';

let f: GitFixture;
beforeEach(() => {
  f = gitFixture();
});
afterEach(() => f.remove());

const refusal = (code: string, message: RegExp) => ({
  code,
  message: expect.stringMatching(message),
  hint: expect.stringMatching(/./),
});

test('no git, an old git, no folder, no repository', async () => {
  const nowhere = f.adapter({ env: { PATH: f.folder } });
  await expect(nowhere.inspect(f.repo)).rejects.toMatchObject(refusal('GIT_MISSING', /not found/));
  const bin = join(f.folder, 'bin');
  f.write(bin, { git: '#!/bin/sh\necho git version 2.30.1\n' });
  const { chmodSync } = await import('node:fs');
  chmodSync(join(bin, 'git'), 0o755);
  await expect(f.adapter({ env: { PATH: bin } }).inspect(f.repo)).rejects.toMatchObject(
    refusal('GIT_MISSING', /too old/),
  );
  await expect(f.git.inspect(f.folder)).rejects.toMatchObject(refusal('NOT_A_REPOSITORY', /not a git repository/));
  await expect(f.git.inspect(join(f.folder, 'nope'))).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
});

test('the branch alone: checked out, none, and of no repository', async () => {
  expect(await f.git.branchOf(f.repo)).toBe('main');
  f.user('checkout', '-q', '--detach');
  expect(await f.git.branchOf(f.repo)).toBeNull();
  await expect(f.git.branchOf(f.folder)).rejects.toMatchObject(refusal('NOT_A_REPOSITORY', /not a git repository/));
});

test('bare, inside .git, no commit', async () => {
  const bare = join(f.folder, 'bare.git');
  plainGit(f.folder, ['clone', '-q', '--bare', f.repo, bare]);
  await expect(f.git.inspect(bare)).rejects.toMatchObject(refusal('REPOSITORY_UNSUPPORTED', /bare/));
  await expect(f.git.inspect(join(f.repo, '.git'))).rejects.toMatchObject({ code: 'REPOSITORY_UNSUPPORTED' });
  const empty = join(f.folder, 'empty');
  mkdirSync(empty);
  plainGit(empty, ['init', '-q', '.']);
  await expect(f.git.inspect(empty)).rejects.toMatchObject(refusal('REPOSITORY_UNSUPPORTED', /no commit/));
});

test.each([
  [
    'a gitlink',
    (git: GitFixture) => git.user('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`),
    /submodules \(sub\)/,
  ],
  [
    '.gitmodules',
    (git: GitFixture) => git.write(git.repo, { '.gitmodules': '[submodule "x"]\n\turl = ext::sh\n' }),
    /submodules/,
  ],
  [
    'LFS',
    (git: GitFixture) => git.write(git.repo, { 'assets/.gitattributes': '*.png filter = lfs diff=lfs\n' }),
    /LFS/,
  ],
] as const)('%s in HEAD', async (_name, prepare, message) => {
  prepare(f);
  f.user('add', '-A', '--', ':!sub');
  f.user('commit', '-q', '-m', 'it');
  await expect(f.git.inspect(f.repo)).rejects.toMatchObject(refusal('REPOSITORY_UNSUPPORTED', message));
});

test('a merge, a rebase, a partial clone, a sparse checkout', async () => {
  for (const [path, message] of [
    ['MERGE_HEAD', /merge is in progress/],
    ['rebase-merge/x', /rebase is in progress/],
    ['CHERRY_PICK_HEAD', /cherry-pick is in progress/],
  ] as const) {
    f.write(join(f.repo, '.git'), { [path]: 'x' });
    await expect(f.git.inspect(f.repo)).rejects.toMatchObject(refusal('REPOSITORY_UNSUPPORTED', message));
    f.write(join(f.repo, '.git'), { [path.split('/')[0] ?? '']: null });
  }
  f.user('config', 'core.sparseCheckout', 'true');
  await expect(f.git.inspect(f.repo)).rejects.toMatchObject(refusal('REPOSITORY_UNSUPPORTED', /sparse/));
  f.user('config', 'core.sparseCheckout', 'false');
  f.user('config', 'remote.origin.promisor', 'true');
  await expect(f.git.inspect(f.repo)).rejects.toMatchObject(refusal('REPOSITORY_UNSUPPORTED', /partial/));
});

test('a work tree that the configuration puts elsewhere', async () => {
  f.user('config', 'core.worktree', f.folder);
  await expect(f.git.inspect(f.repo)).rejects.toMatchObject({ code: 'REPOSITORY_UNSUPPORTED' });
});

test('nothing in the repository changes by looking, its index included', async () => {
  f.write(f.repo, { 'a.txt': 'x\n', 'new\nname': 'n', staged: 's' });
  f.user('add', 'staged');
  const before = snapshotOf(f.repo, true);
  expect(await f.git.inspect(f.repo)).toMatchObject({ dirty: ['a.txt', 'staged'], untracked: ['new\nname'] });
  expect(snapshotOf(f.repo, true)).toEqual(before);
});

test('names what the merge would refuse later', async () => {
  expect((await f.git.inspect(f.repo)).objections).toEqual([]);
  f.user('worktree', 'add', '-q', '--force', join(f.folder, 'second'), 'main');
  expect((await f.git.inspect(f.repo)).objections).toEqual([
    expect.stringContaining('main is checked out more than once'),
  ]);
  f.user('checkout', '-q', '--detach');
  expect((await f.git.inspect(f.repo)).objections).toEqual([expect.stringContaining('detached HEAD')]);
  f.write(f.repo, { '.gitattributes': '*.bin filter=odd\n' });
  f.user('add', '.gitattributes');
  f.user('commit', '-q', '-m', 'Filter');
  expect((await f.git.inspect(f.repo)).objections[1]).toContain('filters of your git');
});

test('at most 200 untracked paths', async () => {
  f.write(f.repo, Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`n${at}`, 'x'])));
  expect((await f.git.inspect(f.repo)).untracked).toHaveLength(200);
});

test('a shallow clone and a repository of SHA-256 are worked in to the end', async () => {
  f.write(f.repo, { 'a.txt': 'two\n' });
  f.commitAll('second');
  const shallow = join(f.folder, 'shallow');
  plainGit(f.folder, ['clone', '-q', '--depth=1', `file://${f.repo}`, shallow]);
  const sha256 = join(f.folder, 'sha256');
  mkdirSync(sha256);
  plainGit(sha256, ['init', '-q', '-b', 'main', '--object-format=sha256', '.']);
  writeFileSync(join(sha256, 'a.txt'), 'x\n');
  plainGit(sha256, ['add', '-A']);
  plainGit(sha256, ['commit', '-q', '-m', 'Start']);
  for (const projectDir of [shallow, sha256]) {
    const tree = { ...f.tree, projectDir };
    const own: GitFixture = { ...f, tree };
    const facts = await f.git.inspect(projectDir);
    expect(facts.branch).toBe('main');
    const baseline = await own.cloned();
    expect(baseline).toBe(facts.head);
    expect(plainGit(tree.workTree, ['status', '--porcelain'])).toBe('');
    const commit = await own.feature(baseline, { 'c.txt': 'c\n', 'nest/x': 'x' });
    expect(await f.git.integrate({ ...f.request(commit), tree })).toMatchObject({
      outcome: 'done',
      merge: { checkedOut: true },
    });
    expect(plainGit(projectDir, ['status', '--porcelain'])).toBe('');
    expect(existsSync(join(projectDir, 'c.txt'))).toBe(true);
    plainGit(projectDir, ['fsck', '--no-dangling']);
  }
});

test.skipIf(process.getuid?.() !== 0)(
  'a repository of another owner: refused, unless the user declared it safe',
  async () => {
    const { chownSync } = await import('node:fs');
    chownSync(f.repo, 12345, 12345);
    chownSync(join(f.repo, '.git'), 12345, 12345);
    await expect(f.git.inspect(f.repo)).rejects.toMatchObject(refusal('REPOSITORY_UNSUPPORTED', /another user/));
    f.write(f.folder, { 'home/.gitconfig': `[safe]\n\tdirectory = ${f.repo}\n` });
    const git = f.adapter({ env: { ...process.env, HOME: join(f.folder, 'home') } });
    expect((await git.inspect(f.repo)).branch).toBe('main');
    const { baseline } = await git.makeClone(f.tree, { snapshot: false, signal: NEVER });
    const commit = await { ...f, git }.feature(baseline, { 'c.txt': 'c\n' });
    expect(await git.integrate(f.request(commit))).toMatchObject({ outcome: 'done' });
  },
);

test.each(['.autonomous/events/1', '.Autonomous/events/1', '.autonomou\u017f/x', 'AUTONOMOUS'])(
  'whether %s in the last commit is a state that came with the repository',
  async (path) => {
    f.write(f.repo, { [path]: 'x', [`sub/${path}`]: 'x' });
    f.commitAll('State');
    const isState = path !== 'AUTONOMOUS';
    expect(await f.git.isCommitted(f.repo, '.autonomous')).toBe(isState);
    expect(await f.git.isCommitted(join(f.repo, 'sub'), '.autonomous')).toBe(isState);
    expect(await f.git.isShipped(f.repo, join(f.repo, '.autonomous', 'events', '1'))).toBe(path.endsWith('/events/1'));
    expect(await f.git.isCommitted(f.repo, join('a.txt', '.autonomous'))).toBe(false);
  },
);
