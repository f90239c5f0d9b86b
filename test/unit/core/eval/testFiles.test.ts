/** Which files are tests, by their usual names. */
import { expect, it } from 'vitest';
import { decidesTests, fileKind } from '../../../../src/core/eval/testFiles.ts';

it.each([
  ['test/a.js', 'test'],
  ['packages/core/tests/fixtures/a.txt', 'test'],
  ['src/__tests__/a.ts', 'test'],
  ['src/__snapshots__/a.snap', 'test'],
  ['spec/models/user_spec.rb', 'test'],
  ['src/parser.test.ts', 'test'],
  ['src/parser.spec.tsx', 'test'],
  ['src/parser-test.js', 'test'],
  ['pkg/parser_test.go', 'test'],
  ['tests.py', 'test'],
  ['app/test_views.py', 'test'],
  ['app/conftest.py', 'test'],
  ['src/main/ParserTest.java', 'test'],
  ['test.js', 'test'],
  ['src/contest.js', 'code'],
  ['src/latest/version.ts', 'code'],
  ['src/testing.ts', 'code'],
  ['src/attestation.go', 'code'],
  ['index.js', 'code'],
  ['lib/a.PY', 'code'],
  ['vitest.config.ts', 'runner'],
  ['packages/a/jest.config.cjs', 'runner'],
  ['.mocharc.yml', 'runner'],
  ['.npmrc', 'runner'],
  ['package-lock.json', 'lock'],
  ['crates/a/Cargo.lock', 'lock'],
  ['README.md', 'other'],
  ['package.json', 'other'],
])('%s: %s', (path, kind) => {
  expect(fileKind(path)).toBe(kind);
});

it('tests and settings of runners decide what a test run does', () => {
  expect(['test/a.js', '.mocharc.json', 'index.js', 'package.json'].filter(decidesTests)).toEqual([
    'test/a.js',
    '.mocharc.json',
  ]);
});
