/** The agent's git follows the accepted commits, whatever the agent did to it. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GitFixture, gitFixture, NEVER, plainGit } from '../../support/git/gitFixture.ts';

let f: GitFixture;
let baseline: string;
let head: string;
/** Copy of the fixture's folder as every test starts with it. */
let kept: string;
beforeAll(async () => {
  f = gitFixture({ 'a.txt': 'one\n', '.gitignore': 'ignored\n' });
  baseline = await f.cloned();
  f.write(f.tree.workTree, { ignored: 'stays\n' });
  head = await f.feature(baseline, { 'a.txt': 'accepted\n', 'new.txt': 'accepted too\n' }, 'Accepted feature');
  kept = `${f.folder}-kept`;
  renameSync(f.folder, kept);
});
// The same path again: git directories name each other by absolute paths. An adapter of its own: it remembers trees.
beforeEach(() => {
  f.remove();
  cpSync(kept, f.folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  f = { ...f, git: f.adapter() };
});
afterAll(() => {
  f.remove();
  rmSync(kept, { recursive: true, force: true, maxRetries: 3 });
});

const agent = (...args: string[]): string => plainGit(f.tree.workTree, args);
const follow = (anew = false): Promise<void> =>
  f.git.followHead(f.tree, { head, baseline, baseBranch: 'main', snapshot: false, anew, signal: NEVER });

/** What a worker finds who looks at its own git. */
function expectAccepted(): void {
  const decorated = ['HEAD', 'refs/heads/autonomous/j1', 'refs/heads/main'].map((ref) => `--decorate-refs=${ref}`);
  expect(agent('log', ...decorated, '--format=%H %s (%D)', '-2')).toBe(
    `${head} Accepted feature (HEAD -> autonomous/j1)\n${baseline} Start (main)\n`,
  );
  expect(agent('status', '--porcelain', '--branch')).toBe('## autonomous/j1\n');
}

test('stash, checkout and reset can no longer remove an accepted feature', async () => {
  expect(agent('status', '--porcelain')).toBe(' M a.txt\n?? new.txt\n');
  await follow();
  expectAccepted();
  expect(agent('stash', '--include-untracked')).toBe('No local changes to save\n');
  agent('checkout', '.');
  agent('reset', '-q', '--hard');
  agent('clean', '-fdq');
  expect(readFileSync(join(f.tree.workTree, 'a.txt'), 'utf8')).toBe('accepted\n');
  expect(await f.git.checkpoint(f.tree, head)).toBe(head);
  expect(readFileSync(join(f.tree.workTree, 'ignored'), 'utf8')).toBe('stays\n');
  expect(agent('fsck', '--strict', '--no-dangling')).toBe('');
});

test('what the tree holds beyond the accepted commit stays and is shown', async () => {
  f.write(f.tree.workTree, { 'a.txt': 'next\n', 'untracked.txt': 'x\n' });
  agent('add', 'a.txt');
  await follow();
  expect(agent('status', '--porcelain')).toBe(' M a.txt\n?? untracked.txt\n');
  expect(readFileSync(join(f.tree.workTree, 'a.txt'), 'utf8')).toBe('next\n');
});

test('the agent keeps its branches, tags and stashes', async () => {
  agent('tag', 'mine');
  agent('checkout', '-q', '-b', 'try/out');
  agent('commit', '-qam', 'Its own');
  agent('pack-refs', '--all');
  f.write(f.tree.workTree, { 'a.txt': 'stashed\n' });
  agent('stash', 'push', '-q', '-m', 'for later');
  f.write(f.tree.workTree, { 'a.txt': 'accepted\n' });
  const before = agent('rev-parse', 'try/out', 'mine', 'stash');
  expect(await f.git.stashes(f.tree)).toBe(1);
  await follow();
  expectAccepted();
  expect(agent('rev-parse', 'try/out', 'mine', 'stash')).toBe(before);
  expect(await f.git.stashes(f.tree)).toBe(1);
  agent('stash', 'pop', '-q');
  expect(await f.git.stashes(f.tree)).toBe(0);
  expect(readFileSync(join(f.tree.workTree, 'a.txt'), 'utf8')).toBe('stashed\n');
  expect(agent('fsck', '--strict', '--no-dangling')).toBe('');
});

const inGit = (path: string): string => join(f.tree.workTree, '.git', path);
const put = (path: string, text: string): void => {
  rmSync(inGit(path), { recursive: true, force: true });
  mkdirSync(join(inGit(path), '..'), { recursive: true });
  writeFileSync(inGit(path), text);
};
const BROKEN: Readonly<Record<string, () => void>> = {
  'a broken HEAD': () => put('HEAD', 'nonsense\n'),
  'a broken branch': () => put('refs/heads/autonomous/j1', 'nonsense\n'),
  'broken packed refs': () => put('packed-refs', 'nonsense\n'),
  'a branch in the way of ours': () => {
    rmSync(inGit('refs/heads/autonomous'), { recursive: true });
    put('refs/heads/autonomous', `${baseline}\n`);
  },
  'locks of killed commands': () => {
    for (const name of ['index', 'HEAD', 'config', 'packed-refs', 'refs/heads/autonomous/j1']) put(`${name}.lock`, '');
  },
  'a merge that is not finished': () => put('MERGE_HEAD', `${baseline}\n`),
  'a rebase that is not finished': () => put('rebase-merge/head-name', 'refs/heads/x\n'),
  'no alternates': () => rmSync(inGit('objects/info/alternates')),
  'alternates elsewhere': () => put('objects/info/alternates', '/dev/zero\n'),
  'no objects': () => rmSync(inGit('objects'), { recursive: true }),
  'replaced commits': () => agent('replace', '--graft', head),
  'a shallow history': () => put('shallow', `${head}\n`),
  'a work tree elsewhere': () => agent('config', 'core.worktree', '/'),
  'a bare repository': () => agent('config', 'core.bare', 'true'),
  'a broken configuration': () => put('config', '[core\n'),
  'a folder as the index': () => {
    rmSync(inGit('index'));
    mkdirSync(inGit('index'));
  },
  'no .git': () => rmSync(inGit(''), { recursive: true }),
  'a file as .git': () => {
    rmSync(inGit(''), { recursive: true });
    writeFileSync(join(f.tree.workTree, '.git'), 'gitdir: /\n');
  },
};

test.each(Object.keys(BROKEN))('%s is replaced by a whole git', async (name) => {
  BROKEN[name]?.();
  await follow();
  expectAccepted();
});

test('no link that the agent made is followed, and no hook or setting is taken over', async () => {
  const outside = join(f.folder, 'outside');
  f.write(outside, {
    'refs/heads/kept': `${head}\n`,
    'objects/info/alternates': 'theirs\n',
    'logs/refs/stash': `${head} ${head} x\n`,
  });
  for (const name of ['refs', 'objects', 'logs']) {
    rmSync(inGit(name), { recursive: true, force: true });
    symlinkSync(join(outside, name), inGit(name));
  }
  expect(await f.git.stashes(f.tree)).toBe(0);
  symlinkSync(join(outside, 'written'), inGit('COMMIT_EDITMSG'));
  put('hooks/post-index-change', '#!/bin/sh\ntouch hooked\n');
  await follow();
  expectAccepted();
  expect(readFileSync(join(outside, 'objects/info/alternates'), 'utf8')).toBe('theirs\n');
  expect(existsSync(join(outside, 'refs/heads/autonomous'))).toBe(false);
  expect(agent('branch', '--list', 'kept')).toBe('');
  expect(existsSync(inGit('hooks/post-index-change'))).toBe(false);
});

test('a .git that is a link is replaced, not what it leads to', async () => {
  const elsewhere = join(f.folder, 'elsewhere');
  renameSync(inGit(''), elsewhere);
  symlinkSync(elsewhere, join(f.tree.workTree, '.git'));
  await follow();
  expectAccepted();
  expect(readFileSync(join(elsewhere, 'refs/heads/autonomous/j1'), 'utf8')).toBe(`${baseline}\n`);
});

test('after a kill in between the next call finishes, with what the agent kept', async () => {
  agent('branch', 'mine', baseline);
  // Set aside, and killed.
  writeFileSync(join(f.tree.gitDir, 'agent-head'), '');
  renameSync(inGit(''), join(f.tree.gitDir, 'agent-old'));
  f.write(f.tree.gitDir, { 'agent-next/.git/config': '[core' });
  await follow();
  expectAccepted();
  expect(agent('rev-parse', 'mine')).toBe(`${baseline}\n`);
});

test('it is written once for a commit, unless it is asked for anew', async () => {
  await follow();
  agent('commit', '-q', '--allow-empty', '-m', 'Its own');
  await follow();
  expect(agent('log', '--format=%s', '-1')).toBe('Its own\n');
  await follow(true);
  expectAccepted();
  rmSync(f.tree.workTree, { recursive: true });
  await follow(true);
  expect(existsSync(f.tree.workTree)).toBe(false);
  const state = { head, baseline, baseBranch: 'main', snapshot: false, signal: NEVER };
  await f.git.remakeClone(f.tree, state);
  expectAccepted();
});
