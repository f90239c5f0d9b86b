import { expect, it } from 'vitest';
import { affected, mentionsIn, toFollow } from '../../../scripts/test/imports.mjs';

const FILES = [
  'src/cli.ts',
  'src/worker.ts',
  'test/host/hand/index.ts',
  'test/host/suite/index.ts',
  'test/support/programs.ts',
];
const BY_NAME = Map.groupBy(FILES, (file) => file.split('/').at(-1) ?? '');
const mentioned = (source: string) => mentionsIn('test/integration/a.test.ts', source, BY_NAME);

it('finds the files that a test names in its strings', () => {
  expect(mentioned("buildWith(bug, ['src/worker.ts'])")).toEqual(['src/worker.ts']);
  expect(mentioned("join(root, 'test', 'host', 'hand', 'index.ts')")).toEqual(['test/host/hand/index.ts']);
  expect(mentioned("new URL('../support/programs.ts', import.meta.url)")).toEqual(['test/support/programs.ts']);
});

it('takes a built program for its source', () => {
  expect(mentioned("join(folder, 'dist', 'cli.js')")).toEqual(['src/cli.ts']);
});

it('counts every file of a name where the folder is not written', () => {
  expect(mentioned("join(root, name, 'index.ts')")).toEqual(['test/host/hand/index.ts', 'test/host/suite/index.ts']);
});

const EDGES = new Map([
  ['test/a.test.ts', ['test/support/world.ts']],
  ['test/b.test.ts', ['src/core/b.ts']],
  ['test/support/world.ts', ['src/core/a.ts', 'test/fixtures/old.db']],
  ['src/core/a.ts', []],
  ['src/core/b.ts', ['src/core/a.ts']],
]);
const TESTS = ['test/a.test.ts', 'test/b.test.ts'];

it('chooses the tests that reach a changed file, over any number of imports', () => {
  expect(affected(TESTS, ['src/core/a.ts'], EDGES)).toEqual(TESTS);
  expect(affected(TESTS, ['src/core/b.ts'], EDGES)).toEqual(['test/b.test.ts']);
  expect(affected(TESTS, ['test/fixtures/old.db'], EDGES)).toEqual(['test/a.test.ts']);
  expect(affected(TESTS, ['test/a.test.ts'], EDGES)).toEqual(['test/a.test.ts']);
});

it('chooses all tests where nothing is known to lead to a changed file', () => {
  expect(affected(TESTS, ['media/icon.svg'], EDGES)).toEqual(TESTS);
});

it('follows no document, and runs everything where the tools themselves change', () => {
  expect(toFollow(['README.md', 'docs/TRUST.md', '.github/workflows/test.yml'])).toBe('nothing');
  expect(toFollow(['README.md', 'src/core/a.ts'])).toEqual(['src/core/a.ts']);
  expect(toFollow(['src/core/a.ts', 'package-lock.json'])).toBe('everything');
});
