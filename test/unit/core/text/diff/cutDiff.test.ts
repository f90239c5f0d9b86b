import { expect, it } from 'vitest';
import { isCut, withMissing } from '../../../../../src/core/text/diff/cutDiff.ts';

const CUT = `diff --git a/src/a.js b/src/a.js
+ a
diff --git a/src/old.js b/src/b.js
+ b
[diff cut: it is longer than 60 bytes]
`;

it('names the files that a cut diff does not show, and the one that it shows in part', () => {
  expect(isCut(CUT)).toBe(true);
  expect(isCut(CUT.replace(/\[diff cut.*\n/, ''))).toBe(false);
  const text = withMissing(CUT, ['src/a.js', 'src/b.js', 'test/c.js']);
  expect(text).toBe(`${CUT}[not shown, or not to the end: src/b.js, test/c.js]\n`);
});

it('names a bounded number of them', () => {
  const paths = Array.from({ length: 100 }, (_, nth) => `f${nth}`);
  expect(withMissing(CUT, paths)).toMatch(/: f0, .*, f59 and 40 more\]\n$/);
});
