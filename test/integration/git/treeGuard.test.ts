/** What watches over the user's tree in every end-to-end test sees each thing that may not happen, and lets a merge pass. */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type GitFixture, gitFixture } from '../../support/git/gitFixture.ts';
import { TreeGuard } from '../../support/git/treeGuard.ts';

const made: GitFixture[] = [];
afterEach(() => {
  for (const { folder } of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** With a file of each kind, and one that is clean. */
function dirty(): { fixture: GitFixture; guard: TreeGuard } {
  const fixture = gitFixture({
    '.gitignore': 'ignored/\n',
    'clean.txt': 'one\n',
    'edited.txt': 'one\n',
    'staged.txt': 'one\n',
  });
  made.push(fixture);
  fixture.write(fixture.repo, { 'staged.txt': 'two\n' });
  fixture.user('add', 'staged.txt');
  fixture.write(fixture.repo, { 'edited.txt': 'two\n', 'untracked.txt': 'mine\n', 'ignored/secret': 'mine\n' });
  return { fixture, guard: new TreeGuard(fixture.repo) };
}

describe('the guard of the user’s tree', () => {
  test.for(['clean.txt', 'edited.txt', 'staged.txt', 'untracked.txt', 'ignored/secret', 'new.txt'])(
    'sees that %s was written',
    (path) => {
      const { fixture, guard } = dirty();
      expect(() => guard.check()).not.toThrow();
      fixture.write(fixture.repo, { [path]: 'of somebody else\n' });
      expect(() => guard.check()).toThrow(path);
    },
  );

  test.for(['clean.txt', 'edited.txt', 'untracked.txt', 'ignored/secret'])('sees that %s is gone', (path) => {
    const { fixture, guard } = dirty();
    fixture.write(fixture.repo, { [path]: null });
    expect(() => guard.check()).toThrow(path);
  });

  test('sees that what was staged is no longer', () => {
    const { fixture, guard } = dirty();
    fixture.user('reset', '-q', 'staged.txt');
    expect(() => guard.check()).toThrow('staged');
  });

  test('lets a commit pass that brings files and changes clean ones, and nothing of what lay around', () => {
    const { fixture, guard } = dirty();
    fixture.user('stash', '-q');
    fixture.write(fixture.repo, { 'clean.txt': 'two\n', 'brought.txt': 'new\n' });
    fixture.user('add', 'clean.txt', 'brought.txt');
    fixture.user('commit', '-q', '-m', 'As a merge does');
    fixture.user('stash', 'pop', '-q', '--index');
    expect(() => guard.check()).not.toThrow();
    fixture.user('checkout', '-q', '-f', 'HEAD', '--', 'edited.txt');
    expect(() => guard.check()).toThrow('edited.txt');
  });

  test('leaves to the person what he did himself', () => {
    const { fixture, guard } = dirty();
    fixture.write(fixture.repo, { 'edited.txt': 'three\n' });
    guard.mine('edited.txt');
    expect(() => guard.check()).not.toThrow();
    fixture.write(fixture.repo, { 'untracked.txt': 'three\n' });
    guard.renew();
    expect(() => guard.check()).not.toThrow();
  });
});
