/** Differences that git takes for patches: what it makes of them is the text that was meant. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unifiedDiff } from '../../../../../src/core/text/diff/unifiedDiff.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';

const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `${n + 1}\n`).join('');

it('shows what changed with three lines around, and runs that touch as one', () => {
  const before = numbered(20);
  const after = before.replace('5\n', 'five\n').replace('9\n', '').replace('18\n', '18\nmore\n');
  expect(unifiedDiff(before, after, 'PROJECT.md')).toBe(
    [
      '--- PROJECT.md',
      '+++ PROJECT.md',
      '@@ -2,11 +2,10 @@',
      ' 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n-9\n 10\n 11\n 12',
      '@@ -16,5 +15,6 @@',
      ' 16\n 17\n 18\n+more\n 19\n 20',
      '',
    ].join('\n'),
  );
});

it('says when the last line has no break, and nothing when nothing changed', () => {
  expect(unifiedDiff('a\n', 'a', 'x')).toBe('--- x\n+++ x\n@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n');
  expect(unifiedDiff('a\nb', 'a\nb', 'x')).toBe('');
});

it('looks for what stayed between changes, but not between so many that it would take long', () => {
  const changed = (lines: number): string => {
    const text = (word: string): string => Array.from({ length: lines }, (_, n) => `${word}${n}\n`).join('');
    return unifiedDiff(`${text('a')}same\n${text('x')}`, `${text('b')}same\n${text('y')}`, 'x');
  };
  expect(changed(500)).toMatch(/^ same$/m);
  expect(changed(1_000)).not.toMatch(/^ same$/m);
});

it('leads from one text to the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-diff-'));
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', ' '), { maxLength: 14 })
    .chain((lines) => fc.constantFrom('', '\n').map((end) => lines.join('\n') + end))
    .filter((lines) => lines !== '');
  // One process of git for all of them.
  const pairs = fc.sample(fc.tuple(text, text), amount({ short: 60, long: 5_000 }));
  const files = (): string[] => pairs.map((_, at) => readFileSync(join(folder, `x${at}`), 'utf8'));
  try {
    for (const [at, [before]] of pairs.entries()) writeFileSync(join(folder, `x${at}`), before);
    const input = pairs.map(([before, after], at) => unifiedDiff(before, after, `x${at}`)).join('');
    execFileSync('git', ['apply', '-p0', '--unidiff-zero', '--whitespace=nowarn', '-'], { cwd: folder, input });
    expect(files()).toEqual(pairs.map(([, after]) => after));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
