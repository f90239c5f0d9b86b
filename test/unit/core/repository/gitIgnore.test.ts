import { describe, expect, it } from 'vitest';
import { ignoreFile, isIgnored } from '../../../../src/core/repository/gitIgnore.ts';
import { globMatcher } from '../../../../src/core/repository/globMatch.ts';

describe('a glob', () => {
  it.each([
    ['*.ts', ['a.ts', '.a.ts'], ['a.tsx', 'src/a.ts']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/.x/a.ts'], ['a.js']],
    ['src/**', ['src/a', 'src/a/b'], ['src', 'lib/a']],
    ['src/**/test/*', ['src/test/a', 'src/a/b/test/c'], ['src/test', 'src/test/a/b']],
    ['*.{ts,js{,x}}', ['a.ts', 'a.js', 'a.jsx'], ['a.tsx']],
    ['{a}', ['{a}'], ['a']],
    ['[a-c]?[!x]', ['b1y', 'c--'], ['d1y', 'a1x']],
    ['a*b*c', ['abc', 'a-b-b-c'], ['ab', 'acb']],
    ['\\*', ['*'], ['a']],
  ])('%s', (pattern, matching, others) => {
    const matches = globMatcher(pattern);
    expect([...matching, ...others].filter(matches)).toEqual(matching);
  });

  it('with many stars takes no time on a long name', () => {
    expect(globMatcher(`${'*a'.repeat(100)}b`)('a'.repeat(250))).toBe(false);
    expect(globMatcher(`${'**/a/'.repeat(50)}b`)('a/'.repeat(200))).toBe(false);
  });
});

describe('a .gitignore', () => {
  const top = ignoreFile('', '# built\ndist/\n*.log\n!kept.log\n/only-top\na/b\n\n  \ntrailing   \nvendor/**\n{x}\n');
  const deeper = ignoreFile('src', '!*.log\n/private\n');

  it.each([
    ['dist', true, true],
    ['dist', false, false],
    ['src/dist', true, true],
    ['debug.log', false, true],
    ['kept.log', false, false],
    ['lib/debug.log', false, true],
    ['src/debug.log', false, false],
    ['only-top', false, true],
    ['lib/only-top', false, false],
    ['a/b', false, true],
    ['lib/a/b', false, false],
    ['trailing', false, true],
    ['vendor', true, false],
    ['vendor/x', false, true],
    ['{x}', false, true],
    ['src/private', false, true],
    ['src/lib/private', false, false],
  ])('%s, a folder: %s, is left out: %s', (path, isFolder, ignored) => {
    const files = path.startsWith('src/') ? [top, deeper] : [top];
    expect(isIgnored(files, path, isFolder)).toBe(ignored);
  });
});
