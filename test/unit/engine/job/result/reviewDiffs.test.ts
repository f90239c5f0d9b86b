/** The diff that a model is shown: bounded after it was shortened. */
import { expect, test } from 'vitest';
import type { GitPort, JobTree } from '../../../../../src/engine/job/gitPorts.ts';
import { shownDiff } from '../../../../../src/engine/job/result/reviewDiffs.ts';

const TREE: JobTree = { projectDir: '/p', workTree: '/w', gitDir: '/g', branch: 'autonomous/j1' };
const file = (path: string, lines: number): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${'+line\n'.repeat(lines)}`;

const git = (diff: string): Pick<GitPort, 'diff' | 'diffStat' | 'changedPaths'> => ({
  diff: async () => diff,
  diffStat: async () => '',
  changedPaths: async () => ['package-lock.json', 'src/a.js'],
});

test('a long lock file takes nothing from the files after it', async () => {
  const diff = file('package-lock.json', 1_000) + file('src/a.js', 5);
  const text = await shownDiff(git(diff), TREE, ['a', 'b'], 1_000);
  expect(text).toContain('[lock file: 1000 lines added, 0 removed');
  expect(text).toContain(file('src/a.js', 5));
  expect(text).not.toContain('diff cut');
});

test('what is cut after that is named', async () => {
  const text = await shownDiff(git(file('package-lock.json', 30) + file('src/a.js', 500)), TREE, ['a', 'b'], 1_000);
  expect(text).toMatch(/\[diff cut: it is longer than 1000 bytes\]\n\[not shown, or not to the end: src\/a\.js\]\n$/);
});
