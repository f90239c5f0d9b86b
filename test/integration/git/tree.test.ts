/** Trees as agents leave them: every one of them becomes a commit and comes back. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GitFixture, gitFixture, NEVER, plainGit, writeFiles } from '../../support/git/gitFixture.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';

let f: GitFixture;
let work: string;
beforeEach(() => {
  f = gitFixture();
  work = f.tree.workTree;
});
afterEach(() => f.remove());

const HOSTILE_NAMES = [
  '-rf',
  '--output=x',
  ':(glob)**',
  'new\nline',
  'quo"te',
  "apos'trophe",
  'back\\slash',
  'tab\there',
  ' leading and trailing ',
  '$(touch x)',
  'ümläut',
  'e\u0301 decomposed',
  '\u202eevil',
  '文字',
  'x'.repeat(200),
  '*',
  '.hidden',
  '~',
  '#comment',
  '!bang',
];

test('hostile names, links, modes and a big binary survive a restore', async () => {
  const baseline = await f.cloned();
  writeFiles(work, Object.fromEntries(HOSTILE_NAMES.map((name, at) => [name, `${at}\n`])));
  writeFiles(work, { '-dir/-file': 'x', 'big.bin': new Uint8Array(20_000_000).fill(7), 'run.sh': '#!/bin/sh\n' });
  chmodSync(join(work, 'run.sh'), 0o755);
  symlinkSync('/etc/passwd', join(work, 'absolute'));
  symlinkSync('nowhere', join(work, 'dangling'));
  symlinkSync('dir', join(work, 'to-folder'));
  const point = await f.git.checkpoint(f.tree, baseline);
  const at = snapshotOf(work);
  expect([...(await f.git.changedPaths(f.tree, baseline, point))].sort()).toEqual(
    [...HOSTILE_NAMES, '-dir/-file', 'absolute', 'big.bin', 'dangling', 'run.sh', 'to-folder'].sort(),
  );
  expect((await f.git.diff(f.tree, baseline, point, 1_000_000)).length).toBeLessThan(50_000);
  await f.git.restore(f.tree, baseline);
  expect(Object.keys(snapshotOf(work)).sort()).toEqual(['a.txt', 'dir/', 'dir/b.txt']);
  await f.git.restore(f.tree, point);
  expect(snapshotOf(work)).toEqual(at);
});

test('an exec bit alone is a change; empty folders go', async () => {
  const baseline = await f.cloned();
  chmodSync(join(work, 'a.txt'), 0o755);
  const point = await f.git.checkpoint(f.tree, baseline);
  expect(await f.git.changedPaths(f.tree, baseline, point)).toEqual(['a.txt']);
  mkdirSync(join(work, 'empty', 'inside'), { recursive: true });
  expect(await f.git.checkpoint(f.tree, point)).toBe(point);
  await f.git.restore(f.tree, baseline);
  expect(existsSync(join(work, 'empty'))).toBe(false);
  expect(lstatSync(join(work, 'a.txt')).mode & 0o111).toBe(0);
});

test('a folder that became a link out of the tree is put back, and nothing outside is touched', async () => {
  const baseline = await f.cloned();
  const outside = join(f.folder, 'outside');
  writeFiles(outside, { 'b.txt': 'precious\n', other: 'x\n' });
  rmSync(join(work, 'dir'), { recursive: true });
  symlinkSync(outside, join(work, 'dir'));
  symlinkSync(outside, join(work, 'untracked'));
  const before = snapshotOf(outside);
  await f.git.restore(f.tree, baseline);
  expect(snapshotOf(outside)).toEqual(before);
  expect(lstatSync(join(work, 'dir')).isDirectory()).toBe(true);
  expect(existsSync(join(work, 'untracked'))).toBe(false);
});

test('nested repositories: their files are ordinary files, their .git is not, and it is said', async () => {
  const told: string[] = [];
  const git = f.adapter({ onNestedRepositories: (_tree, paths) => told.push(...paths) });
  const baseline = await f.cloned();
  for (const folder of ['made', 'made/deeper', 'unborn', 'sp ace']) {
    mkdirSync(join(work, folder), { recursive: true });
    plainGit(join(work, folder), ['init', '-q', '.']);
    writeFiles(join(work, folder), { 'x.txt': folder, '.gitignore': 'skip\n', skip: 's' });
    if (folder !== 'unborn') {
      plainGit(join(work, folder), ['add', 'x.txt']);
      plainGit(join(work, folder), ['commit', '-q', '-m', 'x']);
    }
  }
  const point = await git.checkpoint(f.tree, baseline);
  expect(await git.changedPaths(f.tree, baseline, point)).toEqual(
    ['made', 'made/deeper', 'sp ace', 'unborn'].flatMap((folder) => [`${folder}/.gitignore`, `${folder}/x.txt`]).sort(),
  );
  expect([...new Set(told)].sort()).toEqual(['made', 'made/deeper', 'sp ace', 'unborn']);
  expect(plainGit(f.tree.gitDir, ['ls-tree', '-r', point])).not.toContain('160000');
  told.length = 0;
  writeFiles(work, { 'made/x.txt': 'changed\n' });
  const next = await git.checkpoint(f.tree, point);
  expect(await git.changedPaths(f.tree, point, next)).toEqual(['made/x.txt']);
  expect(told).toEqual([]);
  await git.restore(f.tree, baseline);
  expect(await git.checkpoint(f.tree, baseline)).toBe(baseline);
});

test('state of Autonomous is in no commit, in whatever spelling and depth, and stays as the repository has it', async () => {
  f.write(f.repo, { '.autonomous/kept': 'ours\n', 'sub/.autonomous/gone': 'ours\n', '.gitignore': '' });
  f.user('add', '-f', '.');
  f.commitAll('state that somebody committed');
  const told: string[] = [];
  const git = f.adapter({ onStateLeftOut: (_tree, paths) => told.push(...paths) });
  const baseline = await f.cloned();
  rmSync(join(work, 'sub'), { recursive: true });
  const theirs = ['.autonomous/epoch/9', '.Autonomous/skills/x/SKILL.md', 'deep/.autonomous ./a', 'sub/.autonomous'];
  writeFiles(work, { '.autonomous/kept': 'theirs\n', '.gitignore': '!.autonomous\n', 'a.txt': 'work\n' });
  writeFiles(work, Object.fromEntries(theirs.map((path) => [path, 'theirs\n'])));
  symlinkSync('/elsewhere', join(work, 'deep', 'AUTONO~1'));
  const point = await git.checkpoint(f.tree, baseline);
  expect(await git.changedPaths(f.tree, baseline, point)).toEqual(['.gitignore', 'a.txt']);
  expect(new Set(told)).toEqual(new Set([...theirs, '.autonomous/kept', 'sub/.autonomous/gone', 'deep/AUTONO~1']));
  expect(await git.checkpoint(f.tree, point)).toBe(point);
  expect(await git.commit(f.tree, { parent: point, message: 'x', of: null })).toBe(null);
});

test.each(['merge', 'branch', 'patch'] as const)('a result that changes state is never taken: %s', async (mode) => {
  const baseline = await f.cloned();
  writeFiles(work, { 'a.txt': 'work\n' });
  plainGit(work, ['read-tree', baseline]);
  writeFiles(work, { '.autonomous/epoch/9': '' });
  plainGit(work, ['--git-dir', f.tree.gitDir, '--work-tree', work, 'add', '-f', 'a.txt', '.autonomous']);
  const tree = plainGit(work, ['--git-dir', f.tree.gitDir, 'write-tree']).trim();
  const commit = plainGit(work, ['--git-dir', f.tree.gitDir, 'commit-tree', tree, '-p', baseline, '-m', 'x']).trim();
  plainGit(work, ['--git-dir', f.tree.gitDir, 'update-ref', `refs/heads/${f.tree.branch}`, commit]);
  const before = f.user('rev-parse', 'HEAD');
  expect(await f.git.integrate(f.request(commit, { mode }))).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('".autonomous/epoch/9"'),
  });
  expect(f.user('rev-parse', 'HEAD')).toBe(before);
  expect(existsSync(join(f.repo, '.autonomous'))).toBe(false);
});

test('a part of the tree that cannot be read is made readable, never taken for deleted', async () => {
  const baseline = await f.cloned();
  chmodSync(join(work, 'dir'), 0o000);
  chmodSync(join(work, 'a.txt'), 0o000);
  const point = await f.git.checkpoint(f.tree, baseline);
  expect(await f.git.changedPaths(f.tree, baseline, point)).toEqual([]);
  chmodSync(join(work, 'dir'), 0o000);
  await f.git.restore(f.tree, baseline);
  expect(readFileSync(join(work, 'dir/b.txt'), 'utf8')).toBe('two\n');
});

test('what a killed git left behind does not stop us', async () => {
  const baseline = await f.cloned();
  const lock = join(f.tree.gitDir, 'index.lock');
  writeFileSync(lock, '');
  writeFiles(work, { x: 'x' });
  const point = await f.git.checkpoint(f.tree, baseline);
  writeFileSync(lock, '');
  writeFileSync(join(f.tree.gitDir, 'index'), 'half an ind');
  await f.git.restore(f.tree, point);
  expect(existsSync(lock)).toBe(false);
  expect(await f.git.checkpoint(f.tree, point)).toBe(point);
});

test('attributes of the tree hide nothing from a reader and run nothing', async () => {
  const baseline = await f.cloned();
  writeFiles(work, {
    '.gitattributes': '* -diff filter=x merge=x working-tree-encoding=nonsense ident\n',
    'a.txt': '$Id$ two\n',
  });
  const commit = await f.feature(baseline, {});
  expect(await f.git.diff(f.tree, baseline, commit, 10_000)).toContain('+$Id$ two');
});

test('a snapshot holds the dirty tree without touching it', async () => {
  f.write(f.repo, { '.gitignore': 'ignored\nnode_modules/\n' });
  f.commitAll('ignore');
  f.write(f.repo, {
    'a.txt': 'unstaged\n',
    'staged.txt': 's\n',
    'new/loose.txt': 'l\n',
    ignored: 'i',
    'node_modules/m': 'm',
    'dir/b.txt': null,
  });
  f.user('add', 'staged.txt');
  mkdirSync(join(f.repo, 'other'));
  plainGit(join(f.repo, 'other'), ['init', '-q', '.']);
  f.write(f.repo, { 'other/x': 'x' });
  const before = snapshotOf(f.repo, true);
  const head = f.user('rev-parse', 'HEAD').trim();
  const { baseline } = await f.git.makeClone(f.tree, { snapshot: true, signal: NEVER });
  expect(snapshotOf(f.repo, true)).toEqual(before);
  expect(plainGit(f.tree.gitDir, ['rev-parse', `${baseline}^`]).trim()).toBe(head);
  expect(await f.git.changedPaths(f.tree, head, baseline)).toEqual([
    'a.txt',
    'dir/b.txt',
    'new/loose.txt',
    'staged.txt',
  ]);
  expect(existsSync(join(work, 'ignored'))).toBe(false);
  expect(existsSync(join(work, 'other'))).toBe(false);
  const commit = await f.feature(baseline, { 'result.txt': 'r\n' });
  expect(await f.git.integrate(f.request(commit))).toMatchObject({ outcome: 'refused' });
  const patch = f.request(commit, { mode: 'patch' });
  expect(await f.git.integrate(patch)).toMatchObject({ outcome: 'done' });
  f.user('apply', patch.patchFile);
  expect(readFileSync(join(f.repo, 'result.txt'), 'utf8')).toBe('r\n');
});

test('a snapshot of a clean tree is its commit; a half-made clone is replaced; an abort stops it', async () => {
  writeFiles(f.tree.gitDir, { HEAD: 'half', 'objects/x': 'x' });
  writeFiles(work, { junk: 'x', '.git/x': 'x' });
  expect(await f.cloned(true)).toBe(f.user('rev-parse', 'HEAD').trim());
  expect(snapshotOf(work)).toEqual(snapshotOf(f.repo));
  const aborted = AbortSignal.abort();
  await expect(f.git.makeClone(f.tree, { snapshot: false, signal: aborted })).rejects.toMatchObject({
    code: 'ABORTED',
  });
});

test("the user's global ignore file and info/exclude count in the clone as well", async () => {
  f.write(f.folder, { 'home/.config/git/ignore': 'global-secret\n' });
  f.write(f.repo, { '.git/info/exclude': 'local-secret\n', 'global-secret': 'x', 'local-secret': 'x' });
  const git = f.adapter({ env: { ...process.env, HOME: join(f.folder, 'home'), XDG_CONFIG_HOME: undefined } });
  expect((await git.inspect(f.repo)).dirty).toEqual([]);
  const { baseline } = await git.makeClone(f.tree, { snapshot: true, signal: NEVER });
  writeFiles(work, { 'global-secret': 'x', 'local-secret': 'x' });
  expect(await git.checkpoint(f.tree, baseline)).toBe(baseline);
});

test('replacements of objects in the user repository are not believed', async () => {
  const real = f.user('rev-parse', 'HEAD').trim();
  f.write(f.repo, { 'a.txt': 'forged\n' });
  const forged = f.commitAll('forged');
  f.user('reset', '-q', '--hard', real);
  f.user('replace', real, forged);
  expect(await f.cloned()).toBe(real);
  expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a file that is too large is left out of the commit, whatever its change is, and comes in once it fits', async () => {
  const baseline = await f.cloned();
  const git = f.adapter({ sizeLimits: { fileBytes: 1_000, changeBytes: 2_500 } });
  mkdirSync(join(work, 'nested'));
  plainGit(join(work, 'nested'), ['init', '-q', '.']);
  const big = 'x'.repeat(1_001);
  writeFiles(work, { 'a.txt': big, 'nested/big': big, 'nested/small': 's', 'dir/new.txt': 'n' });
  rmSync(join(work, 'dir', 'b.txt'));
  const point = await git.checkpoint(f.tree, baseline);
  const fits = ['dir/b.txt', 'dir/new.txt', 'nested/small'];
  expect(await git.changedPaths(f.tree, baseline, point)).toEqual(fits);
  const left = ['a.txt', 'nested/big'].map((path) => ({ path, bytes: 1_001 }));
  expect(git.tooLarge(f.tree)).toEqual(left);
  expect(await git.checkpoint(f.tree, point)).toBe(point);
  expect(git.tooLarge(f.tree)).toEqual(left);
  writeFiles(work, { 'a.txt': 'fits\n', 'nested/big': 'fits too\n' });
  const next = await git.checkpoint(f.tree, point);
  expect(await git.changedPaths(f.tree, point, next)).toEqual(['a.txt', 'nested/big']);
  expect(git.tooLarge(f.tree)).toEqual([]);
});

test('a large file of the repository keeps its place: neither its change nor its removal is in a commit', async () => {
  f.write(f.repo, { 'large.bin': 'x'.repeat(5_000) });
  f.commitAll('large');
  const baseline = await f.cloned();
  const git = f.adapter({ sizeLimits: { fileBytes: 1_000, changeBytes: 2_500 } });
  for (const now of [null, 'small now']) {
    writeFiles(work, { 'large.bin': now, 'a.txt': `${now}\n` });
    const point = await git.checkpoint(f.tree, baseline);
    expect(await git.changedPaths(f.tree, baseline, point)).toEqual(['a.txt']);
    expect(git.tooLarge(f.tree)).toEqual([{ path: 'large.bin', bytes: 5_000 }]);
  }
  await git.restore(f.tree, baseline);
  expect(readFileSync(join(work, 'large.bin'), 'utf8')).toHaveLength(5_000);
  expect(git.tooLarge(f.tree)).toEqual([]);
});

// Other systems refuse such names.
test.skipIf(process.platform !== 'linux')('names that are not UTF-8 have the same limits', async () => {
  const baseline = await f.cloned();
  const git = f.adapter({ sizeLimits: { fileBytes: 1_000, changeBytes: 2_500 } });
  const latin = (path: string): Buffer => Buffer.concat([Buffer.from(`${work}/`), Buffer.from(path, 'latin1')]);
  mkdirSync(join(work, 'nested'));
  plainGit(join(work, 'nested'), ['init', '-q', '.']);
  renameSync(join(work, 'nested'), latin('n\xe9sted'));
  const big = 'x'.repeat(1_001);
  for (const path of ['caf\xe9', 'n\xe9sted/big']) writeFileSync(latin(path), big);
  for (const path of ['t\xe9', 'n\xe9sted/small']) writeFileSync(latin(path), 'small');
  const point = await git.checkpoint(f.tree, baseline);
  const shown = (path: string): string => path.replaceAll('\xe9', '\ufffd');
  expect(await git.changedPaths(f.tree, baseline, point)).toEqual(['n\xe9sted/small', 't\xe9'].map(shown));
  expect(git.tooLarge(f.tree)).toEqual(
    ['caf\xe9', 'n\xe9sted/big'].map((path) => ({ path: shown(path), bytes: 1_001 })),
  );
  writeFileSync(latin('caf\xe9'), 'fits');
  rmSync(latin('n\xe9sted/big'));
  const next = await git.checkpoint(f.tree, point);
  expect(await git.changedPaths(f.tree, point, next)).toEqual([shown('caf\xe9')]);
});

test('all changes of a job together have a limit: the largest files are left out', async () => {
  const baseline = await f.cloned();
  const git = f.adapter({ sizeLimits: { fileBytes: 3_000_000, changeBytes: 4_000_000 } });
  writeFiles(work, { first: new Uint8Array(2_500_000).fill(1) });
  const point = await git.checkpoint(f.tree, baseline);
  writeFiles(work, { second: new Uint8Array(2_000_000).fill(2), third: new Uint8Array(1_200_000).fill(3) });
  const next = await git.checkpoint(f.tree, point);
  expect(await git.changedPaths(f.tree, point, next)).toEqual(['third']);
  expect(git.tooLarge(f.tree)).toEqual([{ path: 'second', bytes: 2_000_000 }]);
});

test('a snapshot of the user leaves a large file out, and says so', async () => {
  const told: unknown[] = [];
  const git = f.adapter({
    sizeLimits: { fileBytes: 1_000, changeBytes: 2_500 },
    onSnapshotTooLarge: (_tree, files) => told.push(...files),
  });
  f.write(f.repo, { 'mine.bin': 'x'.repeat(2_000), 'mine.txt': 'm' });
  const { baseline } = await git.makeClone(f.tree, { snapshot: true, signal: NEVER });
  expect(plainGit(f.tree.gitDir, ['ls-tree', '-r', '--name-only', baseline])).toBe('a.txt\ndir/b.txt\nmine.txt\n');
  expect(told).toEqual([{ path: 'mine.bin', bytes: 2_000 }]);
  expect(f.user('status', '--porcelain')).toBe('?? mine.bin\n?? mine.txt\n');
});

test('a clone whose folder is gone is made again at a commit of the job; with the git directory gone it cannot be', async () => {
  const baseline = await f.cloned();
  const head = await f.feature(baseline, { 'new.txt': 'n\n', 'a.txt': null });
  const options = { head, baseline, baseBranch: 'main', snapshot: false, signal: NEVER };
  expect(await f.git.remakeClone(f.tree, options)).toBe(false);
  const before = snapshotOf(work);
  rmSync(work, { recursive: true });
  await expect(f.git.checkpoint(f.tree, head)).rejects.toMatchObject({ code: 'CLONE_MISSING' });
  expect(await f.git.changedPaths(f.tree, baseline, head)).toEqual(['a.txt', 'new.txt']);
  // An attempt to make it that was killed.
  writeFiles(`${work}.half`, { 'x.txt': 'x' });
  expect(await f.git.remakeClone(f.tree, options)).toBe(true);
  expect(snapshotOf(work)).toEqual(before);
  expect(plainGit(work, ['status', '--porcelain', '-b'])).toBe(`## ${f.tree.branch}\n`);
  expect(plainGit(work, ['rev-parse', 'HEAD', 'main'])).toBe(`${head}\n${baseline}\n`);
  expect(await f.git.checkpoint(f.tree, head)).toBe(head);
  rmSync(f.tree.gitDir, { recursive: true });
  rmSync(work, { recursive: true });
  await expect(f.git.remakeClone(f.tree, options)).rejects.toMatchObject({ code: 'CLONE_MISSING' });
});

test('a fresh checkout holds the commit alone, is an ordinary repository, and leaves the clone and its index as they are', async () => {
  f.write(f.repo, { '.gitignore': 'ignored\n' });
  f.commitAll('ignore');
  const baseline = await f.cloned();
  const head = await f.feature(baseline, { 'new.txt': 'n\n' });
  writeFiles(work, { 'ignored/x': 'x', 'untracked.txt': 'u' });
  const folder = join(f.folder, 'job', 'fresh', 'tree');
  const options = { folder, commit: head, baseline, baseBranch: 'main', snapshot: false, signal: NEVER };
  writeFiles(folder, { 'left.txt': 'of a killed run' });
  await f.git.freshCheckout(f.tree, { ...options, keepIgnored: false });
  expect(Object.keys(snapshotOf(folder)).sort()).toEqual(['.gitignore', 'a.txt', 'dir/', 'dir/b.txt', 'new.txt']);
  expect(plainGit(folder, ['status', '--porcelain', '-b'])).toBe(`## ${f.tree.branch}\n`);
  writeFiles(folder, { 'ignored/deps': 'd', 'a.txt': 'changed', other: 'o' });
  expect(await f.git.freshlyMade(f.tree, folder)).toEqual(['ignored/']);
  await f.git.freshCheckout(f.tree, { ...options, commit: baseline, keepIgnored: true });
  expect(Object.keys(snapshotOf(folder)).sort()).toEqual([
    '.gitignore',
    'a.txt',
    'dir/',
    'dir/b.txt',
    'ignored/',
    'ignored/deps',
  ]);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
  expect(await f.git.changedPaths(f.tree, head, await f.git.checkpoint(f.tree, head))).toEqual(['untracked.txt']);
});

test('ignored files that changed since they were recorded are found, though their time was put back', async () => {
  f.write(f.repo, { '.gitignore': 'deps\n' });
  f.commitAll('ignore');
  await f.cloned();
  expect(await f.git.ignoredChanges(f.tree)).toBe(null);
  writeFiles(work, { 'deps/program': 'true\n', 'deps/same': 's' });
  utimesSync(join(work, 'deps', 'program'), 1, 1);
  await f.git.markIgnored(f.tree);
  expect(await f.git.ignoredChanges(f.tree)).toEqual([]);
  writeFiles(work, { 'deps/program': 'fals\n', 'deps/new': 'n' });
  utimesSync(join(work, 'deps', 'program'), 1, 1);
  expect(await f.git.ignoredChanges(f.tree)).toEqual([
    { folder: 'deps', added: 1, changed: 1, removed: 0, examples: ['deps/program', 'deps/new'] },
  ]);
});
