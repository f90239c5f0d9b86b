/**
 * Implements `TreeFiles` outside the agent's sandbox, so every link, `..` or folder swapped at the last moment that
 * leads out of the tree is refused. A path is first resolved, link by link; then its folders are opened one after the
 * other, by names that must not be links, each in the folder before it that is held open.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { sep } from 'node:path';
import { isGitName, isStateName } from '../../core/guard/hiddenNames.ts';
import type { Found, Listed, ListQuery, Look, ReadBounds, SearchQuery, TreeFiles } from '../../engine/session/ports.ts';
import { type AutonomousError, errnoOf, failure } from '../../shared/errors.ts';
import { rename, rm } from '../platform/heldFiles.ts';
import { platform } from '../platform/platform.ts';
import { linesOfText, wholeFile, wholeText } from './boundedText.ts';
import { type HeldFolder, within } from './heldFolder.ts';
import { type Way, wayInto } from './realPath.ts';
import { listTree } from './treeList.ts';
import { searchTree } from './treeSearch.ts';

/** Windows has neither flag. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const READ = constants.O_RDONLY | NO_LINK | (constants.O_NONBLOCK ?? 0);
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK;
const NEW_FILE = 0o644;
const NO_RIPGREP =
  'grep needs ripgrep (rg), which is not installed: an npm package of Autonomous brings it unless installed with --omit=optional';
const OUTSIDE =
  platform.name === 'windows'
    ? 'is outside of the tree, or a name that Windows takes for another one'
    : 'is outside of the tree';
/** Limit of a path in a message. */
const SHOWN = 500;

/** `ripgrep`: path of the search program; null if it is not installed. */
export function openTree(tree: string, ripgrep: string | null = null): TreeFiles {
  return {
    read: (path, bounds) => withPath(path, () => read(tree, path, bounds)),
    bytes: (path, { maxBytes, hidden }) =>
      withPath(path, () => opened(tree, path, hidden, (file) => wholeFile(file, maxBytes))),
    write: (path, content) => withPath(path, () => write(tree, path, content)),
    look: (path) => withPath(path, () => look(tree, path)),
    wayInto: (path, folders) =>
      withPath(path, async () => (await wayInto(tree, path, folders))?.names.join(sep) ?? null),
    search: (path, query) => withPath(path, () => search(tree, ripgrep, path, query)),
    list: (path, query) => withPath(path, () => list(tree, path, query)),
  };
}

interface TreePath {
  /** Real path of the tree. */
  readonly root: string;
  readonly folders: readonly string[];
  readonly name: string;
  /** The names below the tree, as given and as resolved. */
  readonly allNames: readonly string[];
}

/** The path is validated before anything at it is read, and its target again. */
async function placeOf(tree: string, path: string): Promise<TreePath> {
  if (path === '' || path.includes('\0')) throw refused(path, 'is not a path');
  const { root, names, asked } = await wayOf(tree, path);
  const name = names.at(-1);
  if (name === undefined) throw outside(path);
  // One system splits a name where another one does not.
  return { root, folders: names.slice(0, -1), name, allNames: [...asked.flatMap((one) => one.split('\\')), ...names] };
}

async function wayOf(tree: string, path: string): Promise<Way> {
  const way = await wayInto(tree, path, [tree]);
  if (way === null) throw outside(path);
  return way;
}

async function read(tree: string, path: string, { maxBytes, lines, hidden }: ReadBounds): Promise<string> {
  return opened(tree, path, hidden, async (file, { size }) => {
    const text = lines === null ? await wholeText(file, maxBytes) : await linesOfText(file, lines, maxBytes);
    if (text !== null) return text;
    const hint = lines === null ? 'name a range of its lines' : 'name fewer lines, or earlier ones';
    throw refused(path, `has ${size} bytes, and at most ${maxBytes} are given at a time: ${hint}`);
  });
}

async function opened<T>(
  tree: string,
  path: string,
  hidden: ReadBounds['hidden'],
  work: (file: FileHandle, stat: Stats) => Promise<T>,
): Promise<T> {
  const place = await placeOf(tree, path);
  if (place.allNames.some(hidden)) {
    throw refused(path, "is not for you: state of Autonomous, a secret, or git's own");
  }
  return within(place.root, place.folders, false, async (folder) => {
    await using file = await open(folder.at(place.name), READ);
    const stat = await file.stat();
    if (stat.isDirectory()) throw refused(path, 'is a folder: list its entries with glob');
    if (!stat.isFile()) throw refused(path, 'is not a plain file');
    await folder.check();
    return await work(file, stat);
  });
}

/** The old file is replaced, so that a hard link to it keeps its content. */
async function write(tree: string, path: string, content: string): Promise<string> {
  const place = await placeOf(tree, path);
  const names = place.allNames;
  if (names.some(isGitName)) throw refused(path, 'belongs to git: it can be read, not written');
  if (names.some(isStateName)) throw refused(path, 'is state of Autonomous');
  await within(place.root, place.folders, true, async (folder) => {
    const before = await there(folder, place.name);
    if (before !== null && !before.isFile()) throw refused(path, 'is not a plain file');
    const draft = folder.at(`.tmp-${randomUUID()}`);
    const file = await open(draft, NEW, NEW_FILE);
    try {
      try {
        await folder.check();
        if (before !== null) await file.chmod(before.mode & 0o777);
        await file.writeFile(content);
      } finally {
        await file.close();
      }
      await rename(draft, folder.at(place.name));
    } catch (thrown) {
      await rm(draft, { force: true });
      throw thrown;
    }
  });
  return [...place.folders, place.name].join('/');
}

/** The path without links, so that the search does not follow one. */
async function search(tree: string, ripgrep: string | null, path: string, query: SearchQuery): Promise<Found> {
  if (ripgrep === null) throw failure('NOT_FOUND', NO_RIPGREP);
  const { root, names } = await wayOf(tree, path);
  return searchTree(ripgrep, root, names.join('/'), query);
}

async function list(tree: string, path: string, query: ListQuery): Promise<Listed> {
  const { root, names } = await wayOf(tree, path);
  return listTree(root, names, query);
}

async function look(tree: string, path: string): Promise<Look> {
  const { root, names } = await wayOf(tree, path);
  const name = names.at(-1);
  if (name === undefined) return { kind: 'folder', bytes: 0 };
  return within(root, names.slice(0, -1), false, async (folder) => {
    const stat = await lstat(folder.at(name));
    return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other', bytes: stat.size };
  });
}

/** Returns null if there is no entry. A link is reported as a link. */
async function there(folder: HeldFolder, name: string): Promise<Stats | null> {
  try {
    return await lstat(folder.at(name));
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

const named = (path: string): string => JSON.stringify(path.slice(0, SHOWN));
const refused = (path: string, why: string): AutonomousError => failure('NOT_PERMITTED', `${named(path)} ${why}`);
const outside = (path: string): AutonomousError => refused(path, OUTSIDE);

/** Translates system errors into failures for the caller, without any internal path; anything else is a bug. */
async function withPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) throw thrown;
    if (code === 'ENOENT') throw failure('NOT_FOUND', `there is no ${named(path)}`, { cause: thrown });
    throw failure('NOT_PERMITTED', `${named(path)} cannot be used (${code})`, { cause: thrown });
  }
}
