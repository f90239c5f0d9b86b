/**
 * Decides in which tree the hidden tests run: the result of the work, with the tests and the settings of the test runner as the
 * commit has them. A result that removes a test or changes how tests run does not pass by that.
 */
import { isFields, parseJson } from '../text/json.ts';
import { decidesTests, isTestFile } from './testFiles.ts';

/** A file of a git tree. Paths are exact: as text with one character per byte. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

export interface TreeChanges {
  readonly remove: readonly string[];
  readonly put: readonly TreeEntry[];
  /** Paths of `package.json` that both trees have: `gradedManifest` gives their text. */
  readonly manifests: readonly string[];
}

/** `tests`: the hidden files; null for those that the names of tests and settings show. */
export function gradedChanges(
  result: readonly TreeEntry[],
  own: readonly TreeEntry[],
  tests: ReadonlySet<string> | null,
): TreeChanges {
  const hidden = tests === null ? decidesTests : (path: string) => tests.has(path);
  const put = own.filter(({ path }) => hidden(path));
  const kept = new Set(put.map(({ path }) => path));
  const removed = tests === null ? decidesTests : isTestFile;
  const ownPaths = new Set(own.map(({ path }) => path));
  const remove = result.filter(
    ({ path }) => removed(path) && !kept.has(path) && !(tests !== null && ownPaths.has(path)),
  );
  const isManifest = ({ path }: TreeEntry): boolean =>
    /(?:^|\/)package\.json$/.test(path) && !path.includes('node_modules/') && ownPaths.has(path) && !kept.has(path);
  return { remove: remove.map(({ path }) => path), put, manifests: result.filter(isManifest).map(({ path }) => path) };
}

/** Fields of `package.json` that decide how the tests run. */
const RUNNER_FIELDS = ['scripts', 'jest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'vitest', 'type'];

/** The manifest of the result with the test settings of the commit. Null if the result's needs no change, or one is not readable. */
export function gradedManifest(result: string, own: string): string | null {
  const [mine, theirs] = [parseJson(result), parseJson(own)];
  if (!isFields(mine) || !isFields(theirs)) return null;
  const rest = Object.entries(mine).filter(([name]) => !RUNNER_FIELDS.includes(name));
  const settings = Object.entries(theirs).filter(([name]) => RUNNER_FIELDS.includes(name));
  const graded = Object.fromEntries([...rest, ...settings]);
  const same = RUNNER_FIELDS.every((name) => JSON.stringify(mine[name]) === JSON.stringify(theirs[name]));
  return same ? null : `${JSON.stringify(graded, null, 2)}\n`;
}
