import { expect, it } from 'vitest';
import { diffTotals } from '../../../../../src/core/text/diff/diffTotals.ts';

it('counts what a diff changes, whatever the texts in it look like', () => {
  const diff = [
    'diff --git a/notes.md b/notes.md',
    'index 1..2 100644',
    '--- a/notes.md',
    '+++ b/notes.md',
    '@@ -1,3 +1,4 @@',
    ' diff --git a/x b/x',
    '--- a rule',
    '+++ b',
    '+@@ -1 +1 @@',
    '\\ No newline at end of file',
    'diff --git a/logo.png b/logo.png',
    'new file mode 100644',
    'Binary files /dev/null and b/logo.png differ',
    '',
  ].join('\n');
  expect(diffTotals(diff)).toEqual({ files: 2, added: 2, removed: 1 });
  expect(diffTotals('')).toEqual({ files: 0, added: 0, removed: 0 });
});
