/** Which commits become tasks, and what an agent is told of them. */
import { describe, expect, it } from 'vitest';
import { briefOf, categoryOf, type HistoryCommit, qualify } from '../../../../src/core/eval/qualify.ts';

const commit = (parts: Partial<HistoryCommit> = {}): HistoryCommit => ({
  id: 'c',
  parents: ['p'],
  message: 'Parse months',
  files: [
    { path: 'src/parse.ts', lines: 10 },
    { path: 'test/parse.test.ts', lines: 20 },
  ],
  ...parts,
});
const files = (...paths: string[]) => paths.map((path) => ({ path, lines: 1 }));

describe('qualify', () => {
  it('takes a commit with code and tests', () => {
    expect(qualify(commit())).toEqual({ title: 'Parse months', brief: 'Parse months', category: 'src' });
  });

  it.each<[string, Partial<HistoryCommit>]>([
    ['it is the first commit', { parents: [] }],
    ['it is a merge', { parents: ['a', 'b'] }],
    ['it changes only lock files', { files: files('package-lock.json', 'Cargo.lock') }],
    ['it changes no test', { files: files('src/a.ts', 'README.md') }],
    ['it changes no code', { files: files('test/a.test.ts', 'package.json') }],
    [
      'it changes more than 30 files',
      { files: files('test/a.ts', ...Array.from({ length: 30 }, (_, n) => `src/${n}.ts`)) },
    ],
    [
      'it changes more than 1000 lines',
      {
        files: [
          { path: 'src/a.ts', lines: 900 },
          { path: 'test/a.ts', lines: 101 },
        ],
      },
    ],
    ['its message is too short to be a brief', { message: 'fix\n\nSigned-off-by: A <a@b.c>' }],
  ])('refuses: %s', (refused, parts) => {
    expect(qualify(commit(parts))).toEqual({ refused });
  });

  it('counts neither lock files nor binary files as lines', () => {
    const many = { path: 'package-lock.json', lines: 9_999 };
    const image = { path: 'test/a.png', lines: null };
    expect(qualify(commit({ files: [...commit().files, many, image] }))).toHaveProperty('brief');
  });
});

describe('briefOf', () => {
  it.each([
    [
      'Parse months\n\nA month is a twelfth.\n\nSigned-off-by: A <a@b.c>\nCo-authored-by: B <b@b.c>\n',
      'Parse months\n\nA month is a twelfth.',
    ],
    ['Parse months (#123)\n\nLong.', 'Parse months\n\nLong.'],
    ['feat: months', 'feat: months'],
    ['Parse months\nSigned-off-by: A <a@b.c>', 'Parse months'],
    ['Parse months\r\n\r\nNote: this matters.\r\nAnd this.', 'Parse months\n\nNote: this matters.\nAnd this.'],
  ])('%j', (message, brief) => {
    expect(briefOf(message)).toBe(brief);
  });
});

it('the category is the top folder with most changed lines of code', () => {
  expect(
    categoryOf([
      { path: 'a/x.ts', lines: 1 },
      { path: 'b/y/z.ts', lines: 2 },
      { path: 'test/a.ts', lines: 9 },
    ]),
  ).toBe('b');
  expect(categoryOf([{ path: 'index.js', lines: 1 }])).toBe('.');
});
