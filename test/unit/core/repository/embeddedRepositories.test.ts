/** Git repositories that lie in a tree as ordinary files. */
import { describe, expect, test } from 'vitest';
import { embeddedIn, mayEmbedRepository } from '../../../../src/core/repository/embeddedRepositories.ts';

const flagged = (changed: readonly string[], before: readonly string[] = []): readonly string[] =>
  embeddedIn(changed, [...before, ...changed]).paths;

describe('a repository', () => {
  test.each([
    [['bare/HEAD', 'bare/config']],
    [['HEAD', 'config']],
    [['deep/down/x/HEAD', 'deep/down/x/commondir']],
    [['x/HEAD', 'x/hooks/post-index-change']],
    [['x/head', 'x/CONFIG']],
    [['x/HEAD ', 'x/config.']],
    [['x/HEAD', 'x/objects/.keep', 'x/refs/.keep'], ['x/HEAD']],
  ])('of %j', (changed, shown: readonly string[] = changed) => {
    expect(mayEmbedRepository(changed)).toBe(true);
    expect(flagged(changed)).toEqual(shown);
  });
});

test('what completes or changes one that is there already', () => {
  const before = ['fixtures/bare/HEAD', 'fixtures/bare/objects/x', 'fixtures/bare/refs/x', 'src/a.js'];
  expect(flagged(['fixtures/bare/config', 'src/b.js'], before)).toEqual(['fixtures/bare/config']);
  expect(flagged(['fixtures/bare/hooks/pre-commit'], before)).toEqual(['fixtures/bare/hooks/pre-commit']);
  expect(flagged(['fixtures/bare/objects/y'], before)).toEqual(['fixtures/bare/objects/y']);
  expect(flagged(['bare/objects/x'], ['bare/HEAD', 'bare/refs/y'])).toEqual(['bare/objects/x']);
});

test.each([
  [['src/config', 'src/index', 'src/objects/a.js']],
  [['HEAD.md', 'config.json']],
  [['a/HEAD', 'b/config']],
  [['a/HEAD', 'a/b/config']],
  [['a/objects/x', 'a/refs/y']],
])('no repository: %j', (changed) => {
  expect(flagged(changed)).toEqual([]);
});

test('the folder is named once', () => {
  const changed = ['a/bare/HEAD', 'a/bare/config', 'b/HEAD', 'b/hooks/x', 'c/config'];
  expect(embeddedIn(changed, changed).folders).toEqual(['a/bare', 'b']);
});

test('a tree in which no such name changed is not listed', () => {
  expect(mayEmbedRepository(['src/a.js', 'README.md'])).toBe(false);
});
