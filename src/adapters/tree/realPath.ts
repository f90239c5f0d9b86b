/** Resolves a path over every link, including links to missing targets. On Windows, it looks at nothing outside of given folders. */
import { lstat, readlink, realpath } from 'node:fs/promises';
import path, { type PlatformPath, win32 } from 'node:path';
import { mayBeWithin } from '../../core/guard/foldedPath.ts';
import { foldedName, isOtherOnWindows } from '../../core/guard/hiddenNames.ts';
import { errnoOf } from '../../shared/errors.ts';
import { isWithin } from '../platform/executables.ts';

/** Number of links followed one after the other, as in the kernel. */
const MAX_LINKS = 40;
/** Each name of a path is looked up separately. */
const MAX_NAMES = 256;
/** `\\?\C:\x` and `\\.\pipe\x`: names of Windows for anything, past its rules. */
const DEVICE = /^[\\/]{2}[?.][\\/]/;
/** Relative to the working folder of a drive. */
const OF_DRIVE = /^[a-z]:(?![\\/])/i;

/** What looks paths up, and how they are written. */
export interface Disk {
  readonly path: PlatformPath;
  /** In the spelling of the disk. */
  realpath(path: string): Promise<string>;
  lstat(path: string): Promise<{ isSymbolicLink(): boolean }>;
  readlink(path: string): Promise<string>;
}

const DISK: Disk = {
  path,
  realpath: (at) => realpath(at),
  lstat: (at) => lstat(at),
  readlink: (at) => readlink(at),
};

/** Whether the root of a path depends on more than the path and its folder. */
const isOdd = (text: string, disk: Disk): boolean => disk.path === win32 && (OF_DRIVE.test(text) || DEVICE.test(text));

const fault = (code: string): Error => Object.assign(new Error(code), { code });

/** Where a path leads. */
export interface Way {
  /** Real path of the folder that contains it. */
  readonly root: string;
  /** From there, in the spelling of the disk; empty for the folder itself. */
  readonly names: readonly string[];
  /** The names below the folder as they were asked for. */
  readonly asked: readonly string[];
}

/**
 * Where a path, relative to the tree, leads to in the first of the folders that contains it; null if it leads to none. On
 * Windows, where a look at another machine reveals the user to it, a path outside these folders is not even looked up, nor is the target of a
 * link. Elsewhere a link may pass through any folder.
 */
export async function wayInto(
  tree: string,
  given: string,
  folders: readonly string[],
  disk: Disk = DISK,
): Promise<Way | null> {
  const { sep, resolve, parse } = disk.path;
  const isWindows = disk.path === win32;
  const asked = resolve(tree, given);
  if (given.includes('\0') || isOdd(given, disk)) return null;
  if (asked.split(sep).length > MAX_NAMES) throw fault('ENAMETOOLONG');
  const isOther = (names: readonly string[]): boolean => isWindows && names.some(isOtherOnWindows);
  const named = folders.map((folder) => resolve(folder));
  const roots = await Promise.all(named.map((folder) => realOf(folder, disk)));
  const places = [...named, ...roots];
  const start = places.find((folder) => (isWindows ? mayBeWithin(asked, folder) : mayBeBelow(asked, folder, disk)));
  if (start === undefined) return null;
  const depth = namesOf(start, disk).length;
  const below = namesOf(asked, disk).slice(depth);
  if (isOther(below)) return null;
  const first = parse(asked).root + namesOf(asked, disk).slice(0, depth).join(sep);
  // Below an automount, a look would reach another machine.
  const isOpen = (at: string): boolean =>
    (!isWindows && !isWithin(at, '/net', sep)) ||
    places.some((folder) => mayBeWithin(at, folder) || mayBeWithin(folder, at));
  const target = await follow(await realOf(first, disk), below, isOpen, disk);
  const root = target === null ? undefined : roots.find((one) => isWithin(target, one, sep));
  if (target === null || root === undefined) return null;
  const names = namesOf(target, disk).slice(namesOf(root, disk).length);
  return isOther(names) ? null : { root, names, asked: below };
}

/** The names of a resolved path, without its root. */
function namesOf(at: string, { path: { parse, sep } }: Disk): readonly string[] {
  return at
    .slice(parse(at).root.length)
    .split(sep)
    .filter((name) => name !== '');
}

/** As `mayBeWithin`, where only the system's own separator takes names apart. */
function mayBeBelow(at: string, folder: string, disk: Disk): boolean {
  const names = namesOf(at, disk).map(foldedName);
  return namesOf(folder, disk).every((name, depth) => foldedName(name) === names[depth]);
}

/** The real path of a folder that the caller trusts, which may not exist yet. Throws for a link to a missing target. */
async function realOf(folder: string, disk: Disk): Promise<string> {
  const { dirname, basename, join } = disk.path;
  try {
    return await disk.realpath(folder);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT' || dirname(folder) === folder) throw thrown;
    if ((await linkAt(folder, disk)) !== undefined) throw thrown;
    return join(await realOf(dirname(folder), disk), basename(folder));
  }
}

/**
 * Follows the names from a real path, link by link. Null if a link leads to a path that is not open. A link to a missing target is
 * followed too: a write through it would create the target.
 */
async function follow(
  start: string,
  names: readonly string[],
  isOpen: (at: string) => boolean,
  disk: Disk,
): Promise<string | null> {
  const { join, dirname, isAbsolute, normalize, parse, resolve, sep } = disk.path;
  let at = start;
  const rest = [...names];
  for (let links = 0; ; ) {
    const name = rest.shift();
    if (name === undefined) return await realOf(at, disk);
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (!isOpen(next)) return null;
    const link = await linkAt(next, disk);
    if (link === undefined) {
      // No system goes up from a folder that does not exist.
      if (rest.includes('..')) throw fault('ENOENT');
      return join(await realOf(at, disk), name, ...rest);
    }
    if (link === null) {
      at = next;
      continue;
    }
    if (++links > MAX_LINKS) throw fault('ELOOP');
    // Windows goes up in the text of a link, other systems from where it leads.
    const text = disk.path === win32 ? normalize(link) : link;
    if (isOdd(text, disk)) return null;
    if (isAbsolute(text)) at = parse(resolve(at, text)).root;
    rest.unshift(...text.slice(parse(text).root.length).split(sep));
  }
}

/** The target of a link; null if there is another entry, undefined if there is none. */
async function linkAt(at: string, disk: Disk): Promise<string | null | undefined> {
  try {
    return (await disk.lstat(at)).isSymbolicLink() ? await disk.readlink(at) : null;
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
