/** Validates strings from outside before they become arguments: an object id, a branch name, an internal branch. */
import { failure } from '../../shared/errors.ts';

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Stricter than git's rule, at no cost: no control characters, no leading dash, no revision syntax. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that none gets through is the point
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\x00-\x20\x7f~^:?*[\\]+(?<![/.])$/;
const JOB_BRANCH = /^autonomous\/[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Returns the id. Throws INVALID_INPUT for anything that is not a full lower-case object id. */
export function objectId(text: string): string {
  if (!OBJECT_ID.test(text)) throw failure('INVALID_INPUT', `not a commit id: ${JSON.stringify(text.slice(0, 80))}`);
  return text;
}

export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** `refs/heads/<branch>`. Throws INVALID_INPUT for a name that git would refuse. */
export function branchRef(branch: string): string {
  if (!BRANCH.test(branch) || branch === 'HEAD') {
    throw failure('INVALID_INPUT', `not a branch name: ${JSON.stringify(branch.slice(0, 80))}`);
  }
  return `refs/heads/${branch}`;
}

/** The same for a job's branch, `autonomous/<job>`. */
export function jobBranchRef(branch: string): string {
  if (!JOB_BRANCH.test(branch)) throw failure('INVALID_INPUT', `not a branch of a job: ${JSON.stringify(branch)}`);
  return branchRef(branch);
}

/** Whether this is the full name of a branch, a tag or the stash. */
export function isOrdinaryRef(ref: string): boolean {
  const [, name] = /^refs\/(?:heads|tags)\/(.*)$/s.exec(ref) ?? [];
  return ref === 'refs/stash' || (name !== undefined && name !== 'HEAD' && BRANCH.test(name));
}

/** Items of a NUL-terminated list. */
export function splitZ(text: string): string[] {
  const items = text.split('\0');
  items.pop();
  return items;
}

interface TreeLine {
  readonly mode: string;
  readonly id: string;
  /** Size of a blob; 0 for anything else. */
  readonly bytes: number;
  readonly path: string;
}

/** Reads a line of `ls-tree -l`: mode, type, id, size, and the path behind a tab. */
export function treeLine(line: string): TreeLine {
  const tab = line.indexOf('\t');
  const [mode = '', , id = '', size] = line.slice(0, tab).split(/ +/);
  return { mode, id, bytes: Number(size) || 0, path: line.slice(tab + 1) };
}

/** Path on the disk of a path with one character per byte (`Extras.bytes`). */
export function diskPath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** A path with one character per byte (`Extras.bytes`) as readable text. */
export function shownPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** Like `shownPath`, but bytes that are not UTF-8 are written as `\xe9`, so that two such names differ. */
export function exactText(path: string): string {
  const text = shownPath(path);
  if (Buffer.from(text).toString('latin1') === path) return text;
  return path.replaceAll(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
