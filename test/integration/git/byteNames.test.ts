/** File names that are not UTF-8, which only some systems have: what git lists of them is exact. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dieAfterSwap, type GitFixture, gitFixture, plainGit } from '../../support/git/gitFixture.ts';

let f: GitFixture;
beforeEach(() => {
  f = gitFixture({ 'a.txt': 'one\n', '.gitignore': 'ignored/\n' });
});
afterEach(() => f.remove());

/** `path` has one character per byte. */
const at = (folder: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);

function put(folder: string, path: string, text: string): void {
  mkdirSync(at(folder, dirname(path)), { recursive: true });
  writeFileSync(at(folder, path), text);
}

const read = (folder: string, path: string): string => readFileSync(at(folder, path), 'utf8');

/** Names of a commit, one character per byte. */
function pathsIn(commit: string): string[] {
  const list = plainGit(f.tree.gitDir, ['-c', 'core.quotePath=true', 'ls-tree', '-r', '--name-only', commit]);
  return list.trim().split('\n');
}

describe.skipIf(process.platform !== 'linux')('names that are not UTF-8', () => {
  test('state of Autonomous with such a name is in no commit, and stays as the repository has it', async () => {
    put(f.repo, '.autonomous/\xe9', 'theirs\n');
    f.user('add', '-f', '.');
    f.commitAll('State');
    const baseline = await f.cloned();
    put(f.tree.workTree, '.autonomous/\xe9', 'changed\n');
    put(f.tree.workTree, 'x/.autonomous/\xe8', 'new\n');
    expect(await f.git.checkpoint(f.tree, baseline)).toBe(baseline);
    const commit = await f.feature(baseline, { 'b.txt': 'b\n' });
    expect(pathsIn(commit)).toEqual(['".autonomous/\\351"', '.gitignore', 'a.txt', 'b.txt']);
    expect(await f.git.changedPaths(f.tree, baseline, commit)).toEqual(['b.txt']);
  });

  test('a merge brings such files, unless one of the user is in the way', async () => {
    put(f.repo, 'old-\xe9', 'old\n');
    f.commitAll('Old');
    const baseline = await f.cloned();
    put(f.tree.workTree, 'new-\xe9', 'new\n');
    put(f.tree.workTree, 'old-\xe9', 'changed\n');
    const head = await f.feature(baseline, {});
    put(f.repo, 'new-\xe9', 'mine\n');
    expect(await f.git.integrate(f.request(head))).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('"new-\ufffd"'),
    });
    expect(read(f.repo, 'new-\xe9')).toBe('mine\n');
    rmSync(at(f.repo, 'new-\xe9'));
    expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
    expect([read(f.repo, 'new-\xe9'), read(f.repo, 'old-\xe9')]).toEqual(['new\n', 'changed\n']);
    expect(f.user('status', '--porcelain')).toBe('');
  });

  test('a move of the checkout that was cut short is finished', async () => {
    for (const path of ['changed-\xe9', 'changed-\xe8', 'gone-\xe9/x']) put(f.repo, path, 'old\n');
    f.commitAll('Old');
    const baseline = await f.cloned();
    for (const path of ['changed-\xe9', 'changed-\xe8', 'new-\xe9/y']) put(f.tree.workTree, path, 'new text\n');
    rmSync(at(f.tree.workTree, 'gone-\xe9'), { recursive: true });
    const head = await f.feature(baseline, {});
    await dieAfterSwap(f, head, () => put(f.repo, 'changed-\xe8', 'new'));
    expect(await f.git.findMerge(f.request(head))).toMatchObject({ checkedOut: true, note: null });
    expect(f.user('status', '--porcelain')).toBe('');
    for (const path of ['changed-\xe9', 'changed-\xe8', 'new-\xe9/y']) expect(read(f.repo, path)).toBe('new text\n');
    expect(existsSync(at(f.repo, 'gone-\xe9'))).toBe(false);
    expect(readdirSync(f.repo)).not.toContain('changed-\ufffd\ufffd');
  });

  test('an ignored file with such a name that changed is told from its neighbour', async () => {
    await f.cloned();
    put(f.tree.workTree, 'ignored/\xe9', 'one');
    put(f.tree.workTree, 'ignored/\xe8', 'one');
    await f.git.markIgnored(f.tree);
    put(f.tree.workTree, 'ignored/\xe8', 'changed');
    expect(await f.git.ignoredChanges(f.tree)).toMatchObject([{ changed: 1, examples: ['ignored/\\xe8'] }]);
  });
});
