/** What a model sees of a diff: shorter, and what is left out is counted. */
import { describe, expect, test } from 'vitest';
import { shortDiff } from '../../../../../src/core/text/diff/shownDiff.ts';

const ID = 'a'.repeat(40);
const file = (path: string, ...lines: string[]): string =>
  `diff --git a/${path} b/${path}\nindex ${ID}..${ID} 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,9 @@\n${lines.join('\n')}\n`;
const added = (count: number): string[] => Array.from({ length: count }, (_, nth) => `+line ${nth}`);

test('ids of blobs are left out, in headers alone', () => {
  const inText = `+index ${ID}..${ID}`;
  expect(shortDiff(file('a.js', '-a', inText))).toBe(
    `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,1 +1,9 @@\n-a\n${inText}\n`,
  );
  const mode = `diff --git a/x b/x\nold mode 100644\nnew mode 100755\n`;
  const binary = `diff --git a/y b/y\nindex ${ID}..${ID} 100644\nBinary files a/y and b/y differ\n`;
  expect(shortDiff(mode + binary)).toBe(`${mode}diff --git a/y b/y\nBinary files a/y and b/y differ\n`);
});

describe('a lock file', () => {
  test('is counted, and the files beside it are whole', () => {
    const text = shortDiff(file('sub dir/package-lock.json', ...added(50), '-x') + file('b.js', '+b'));
    expect(text).toContain('b/sub dir/package-lock.json\n--- ');
    expect(text).toContain('[lock file: 50 lines added, 1 removed, ');
    expect(text).not.toContain('line 7');
    expect(text).toContain('@@ -1,1 +1,9 @@\n+b\n');
  });

  test('with few changed lines is shown, and so is a file of another name', () => {
    expect(shortDiff(file('yarn.lock', ...added(20)))).toContain('line 19');
    expect(shortDiff(file('my-yarn.lock', ...added(50)))).toContain('line 49');
  });
});

test('a long line is cut, with its length', () => {
  const text = shortDiff(file('lib.min.js', `+${'x'.repeat(999)}`, '+short'));
  expect(text).toContain(
    `+${'x'.repeat(299)} [700 more characters of this line not shown; read or grep the file]\n+short\n`,
  );
});

test('the line of a cut diff stays its last line', () => {
  const cut = '[diff cut: it is longer than 60 bytes]\n';
  const text = shortDiff(`${file('go.sum', ...added(50))}${cut}`);
  expect(text.endsWith(`not shown; read or grep the file]\n${cut}`)).toBe(true);
});
