/** The tree in which hidden tests run: the work, with the tests of the commit. */
import { expect, it } from 'vitest';
import { gradedChanges, gradedManifest, type TreeEntry } from '../../../../src/core/eval/gradedTree.ts';
import { testCommandOf } from '../../../../src/core/eval/testCommand.ts';

const tree = (...paths: string[]): TreeEntry[] => paths.map((path) => ({ mode: '100644', id: `id of ${path}`, path }));
const paths = (entries: readonly TreeEntry[]): string[] => entries.map(({ path }) => path);

it('puts the tests and settings of the commit, and removes those of the work', () => {
  const result = tree('index.js', 'test/old.js', 'test/mine.js', '.mocharc.json', 'package.json');
  const own = tree('index.js', 'test/old.js', 'test/new.js', 'jest.config.js', 'package.json', 'new.js');
  const { remove, put, manifests } = gradedChanges(result, own, null);
  expect(remove).toEqual(['test/mine.js', '.mocharc.json']);
  expect(paths(put)).toEqual(['test/old.js', 'test/new.js', 'jest.config.js']);
  expect(manifests).toEqual(['package.json']);
});

it('puts the named tests of a folder task, and keeps the tests that it started with', () => {
  const result = tree('check/a.js', 'test/kept.js', 'test/mine.js');
  const own = tree('check/a.js', 'check/hidden.js', 'test/kept.js');
  const { remove, put } = gradedChanges(result, own, new Set(['check/hidden.js']));
  expect(remove).toEqual(['test/mine.js']);
  expect(paths(put)).toEqual(['check/hidden.js']);
});

it('takes the scripts of the commit and the dependencies of the work', () => {
  const mine = JSON.stringify({ name: 'a', scripts: { test: 'true' }, dependencies: { b: '1' } });
  const own = JSON.stringify({ name: 'a', scripts: { test: 'node --test' }, mocha: { ui: 'tdd' } });
  expect(JSON.parse(gradedManifest(mine, own) ?? '')).toEqual({
    name: 'a',
    dependencies: { b: '1' },
    scripts: { test: 'node --test' },
    mocha: { ui: 'tdd' },
  });
  expect(gradedManifest(own, own)).toBeNull();
  expect(gradedManifest('{', own)).toBeNull();
});

it.each([
  [{ scripts: { test: 'vitest run' } }, 'npm test'],
  [{ scripts: { test: 'echo "Error: no test specified" && exit 1' } }, null],
  [{ scripts: {} }, null],
  [{}, null],
])('the test command of %j', (manifest, command) => {
  expect(testCommandOf(JSON.stringify(manifest))).toBe(command);
});

it('knows no test command without a manifest', () => {
  expect(testCommandOf(null)).toBeNull();
  expect(testCommandOf('not JSON')).toBeNull();
});
