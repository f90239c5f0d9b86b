/** What a fresh checkout takes over, and what is said where its result differs. */
import { expect, test } from 'vitest';
import {
  besideTree,
  dependencyFolders,
  differenceText,
  isDependencyInput,
} from '../../../../../src/core/job/result/freshCheck.ts';
import { differs, originText } from '../../../../../src/core/job/view/freshRun.ts';
import type { Evidence } from '../../../../../src/shared/job/evidence.ts';

const ran = (exitCode: number, more: Partial<Evidence> = {}): Evidence => ({
  command: 'npm test',
  exitCode,
  ended: null,
  durationMs: 1,
  artifact: 'a',
  tail: '',
  commit: 'c',
  sandboxed: true,
  ...more,
});

test.each([
  'package.json',
  'packages/a/package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  '.npmrc',
  '.yarnrc.yml',
  'patches/left.patch',
  'pyproject.toml',
  'requirements-dev.txt',
  'Cargo.lock',
  'go.sum',
  'Gemfile',
  'composer.lock',
])('%s decides what is installed', (path) => expect(isDependencyInput(path)).toBe(true));

test.each(['src/package.ts', 'README.md', 'lock.js', 'go.ts', 'dir/requirements.md'])('%s does not', (path) =>
  expect(isDependencyInput(path)).toBe(false),
);

test('dependencies are kept only where the setup made nothing else', () => {
  expect(dependencyFolders(['node_modules/', 'packages/a/node_modules/', '.venv/'])).toEqual([
    'node_modules',
    'packages/a/node_modules',
    '.venv',
  ]);
  expect(dependencyFolders([])).toEqual([]);
  expect(dependencyFolders(['node_modules/', 'dist/'])).toBe(null);
  expect(dependencyFolders(['node_modules'])).toBe(null);
  expect(dependencyFolders(['my_node_modules/'])).toBe(null);
});

test('fresh evidence is set beside the same command at the same commit in the tree of the worker', () => {
  const known = [ran(0, { commit: 'before' }), ran(1), ran(0), ran(1, { fresh: { inTree: null } })];
  const [one] = besideTree([ran(3)], known);
  expect(one?.fresh).toEqual({ inTree: 'passed' });
  expect(besideTree([ran(3)], [ran(0, { command: 'make' })])[0]?.fresh).toEqual({ inTree: null });
  expect(besideTree([ran(3)], [ran(0, { ended: 'timeout' })])[0]?.fresh).toEqual({ inTree: 'failed' });
});

test('a difference is named, agreement is not', () => {
  const [fails, passes] = [ran(1, { fresh: { inTree: 'passed' } }), ran(0, { fresh: { inTree: 'failed' } })];
  expect([fails, passes].map(differs)).toEqual([true, true]);
  const agreed = [ran(0, { fresh: { inTree: 'passed' } }), ran(1, { fresh: { inTree: null } }), ran(1)];
  expect(agreed.map(differs)).toEqual([false, false, false]);
  expect(differenceText(agreed)).toBe(null);
  expect(differenceText([fails])).toContain("`npm test` passed in the worker's tree and failed in a fresh checkout");
  expect(differenceText([passes])).toContain("failed in the worker's tree and passed in a fresh checkout");
  expect(originText(ran(1))).toBe('');
  expect(originText(fails)).toBe(", in a fresh checkout, but passed in the worker's tree");
});
