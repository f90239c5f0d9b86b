import { describe, expect, test } from 'vitest';
import { AUTO_EXECUTED_PATHS } from '../../../../src/core/guard/autoExecutedPaths.ts';
import { executablePaths } from '../../../../src/core/guard/executablePaths.ts';

const flagged = (...paths: string[]) => executablePaths(paths).map(({ path }) => path);

describe('paths that would run', () => {
  test.each([
    '.husky/pre-commit',
    '.githooks/post-merge',
    '.gitattributes',
    'deep/down/.gitmodules',
    '.git/hooks/post-checkout',
    'vendor/.git/config',
    '.vscode/tasks.json',
    'app.code-workspace',
    '.idea/workspace.xml',
    '.devcontainer/devcontainer.json',
    '.mcp.json',
    '.cursor/mcp.json',
    '.claude/settings.json',
    'AGENTS.md',
    'packages/x/CLAUDE.md',
    '.github/workflows/ci.yml',
    '.npmrc',
    '.yarnrc.yml',
    '.envrc',
    '.autonomous/events/1.jsonl',
    'package.json',
    'packages/a/package.json',
    '.pre-commit-config.yaml',
    'binding.gyp',
    'node_modules/.bin/bwrap',
    '.kiro/hooks/x.json',
    '.config/mise/config.toml',
    '.mise/config.toml',
    '.env.test',
    '.github/instructions/all.md',
    'QWEN.md',
  ])('%s', (path) => {
    expect(flagged(path)).toEqual([path]);
  });
});

test.each(AUTO_EXECUTED_PATHS)('what agents obey without asking, wherever it lies: %s', (place) => {
  const paths = [place, `deep/${place}`, `${place}/x`, place.toUpperCase()];
  expect(flagged(...paths)).toEqual(paths);
});

describe('the same under another name', () => {
  test.each([
    '.VSCode/tasks.json',
    '.vscode./tasks.json',
    '.vscode /tasks.json',
    '.husky\\pre-commit',
    '.Git\u200c/config',
    'GIT~1/config',
    'VSCODE~1/tasks.json',
    '.npmrc::$DATA',
    '.ENVRC. .',
    'PACKAGE.JSON',
    '.vscode:stream/x',
  ])('%j', (path) => {
    expect(flagged(path)).toEqual([path]);
  });
});

test.each([
  'src/index.ts',
  '.gitignore',
  '.gitkeep',
  'docs/agents.md.txt',
  'a/git/config',
  '.env.example',
  '.config/app.toml',
  '.github/ISSUE_TEMPLATE.md',
  'copilot/index.ts',
  'node_modules/x/index.js',
  'x~backup',
  'constructor',
  '__proto__/x',
  '',
])('not flagged: %j', (path) => {
  expect(flagged(path)).toEqual([]);
});

test('a package.json whose scripts stay is not flagged; one that cannot be read is', () => {
  const of = (before: string | null, after: string | null) =>
    executablePaths(['package.json'], () => ({ before, after })).length;
  expect(of('{"version":"1","scripts":{"a":"b"}}', '{"version":"2","scripts":{"a":"b"}}')).toBe(0);
  expect(of('{"scripts":{"a":"b"}}', '{"scripts":{"a":"b","postinstall":"x"}}')).toBe(1);
  expect(of(null, '{"name":"x"}')).toBe(0);
  expect(of(null, '{"scripts":{}}')).toBe(1);
  expect(of('{}', 'not json')).toBe(1);
  expect(of('{}', null)).toBe(0);
  expect(of('{}', '{"lint-staged":{"*":"x"}}')).toBe(1);
});

test('order and reasons', () => {
  expect(executablePaths(['b.ts', '.npmrc', '.husky/x'])).toEqual([
    { path: '.npmrc', why: 'package manager settings' },
    { path: '.husky/x', why: 'git hooks' },
  ]);
});
