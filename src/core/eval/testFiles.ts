/** Distinguishes tests, code and other files of a repository by their usual names. */

export type FileKind = 'test' | 'runner' | 'lock' | 'code' | 'other';

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|__mocks__|__snapshots__|specs?|e2e|testdata|fixtures)\//i;
const TEST_NAME =
  /(?:^|\/)(?:[^/]+[._-](?:test|tests|spec|e2e)\.[^/]+|tests?\.[^/.]+|test_[^/]+\.py|conftest\.py|[^/]+_test\.[^/.]+|[^/]+Tests?\.(?:java|kt|cs|swift|php|scala)|[^/]+\.snap)$/;
/** Settings of a test runner: a changed one could skip the hidden tests. */
const RUNNER =
  /(?:^|\/)(?:(?:vitest|vite|jest|karma|ava|playwright|cypress|wdio|babel)\.config\.[^/]+|vitest\.workspace\.[^/]+|jest\.setup\.[^/]+|\.mocharc(?:\.[^/]+)?|\.taprc|\.nycrc(?:\.[^/]+)?|\.c8rc(?:\.[^/]+)?|\.npmrc|pytest\.ini|tox\.ini|setup\.cfg)$/;
const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock)$/;
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kt|kts|scala|swift|php|cs|fs|c|h|cc|cpp|cxx|hpp|m|mm|ex|exs|erl|clj|hs|ml|lua|dart|sh|bash|pl|r|sql|css|scss|html)$/i;

/** The path has slashes, relative to the top folder. */
export function fileKind(path: string): FileKind {
  if (LOCK.test(path)) return 'lock';
  if (RUNNER.test(path)) return 'runner';
  if (TEST_FOLDER.test(path) || TEST_NAME.test(path)) return 'test';
  return CODE.test(path) ? 'code' : 'other';
}

export const isTestFile = (path: string): boolean => fileKind(path) === 'test';

/** Whether the file decides what a run of the tests does, and not what the code does. */
export function decidesTests(path: string): boolean {
  const kind = fileKind(path);
  return kind === 'test' || kind === 'runner';
}
