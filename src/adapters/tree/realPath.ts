/** Resolves a path over every link, including links to missing targets. */
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errnoOf } from '../../shared/errors.ts';

/** Number of links followed one after the other, as in the kernel. */
const MAX_LINKS = 40;
/** Each name of a path that does not exist is looked up separately. */
const MAX_NAMES = 256;

/** Both paths are absolute. */
export function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A link to a missing target is followed too: a write through it would create the target. */
export async function realOf(path: string, links = 0): Promise<string> {
  if (path.split(sep).length > MAX_NAMES) throw Object.assign(new Error('too deep'), { code: 'ENAMETOOLONG' });
  try {
    return await realpath(path);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT' || dirname(path) === path || links > MAX_LINKS) throw thrown;
    const parent = await realOf(dirname(path), links);
    const leads = await linkAt(join(parent, basename(path)));
    return leads === null ? join(parent, basename(path)) : realOf(resolve(parent, leads), links + 1);
  }
}

/**
 * Where a path, relative to the tree, leads to in the first of the folders that contains it, relative to that folder;
 * null if it leads to none. A path outside these folders is not even read: on Windows, reading from another machine
 * reveals the user to it.
 */
export async function wayInto(tree: string, path: string, folders: readonly string[]): Promise<string | null> {
  if (path.includes('\0')) return null;
  const asked = resolve(tree, path);
  const roots = await Promise.all(folders.map((folder) => realOf(resolve(folder))));
  const named = [...folders.map((folder) => resolve(folder)), ...roots];
  if (!named.some((folder) => isBelow(asked, folder))) return null;
  const target = await realOf(asked);
  const root = roots.find((one) => isBelow(target, one));
  return root === undefined ? null : relative(root, target);
}

/** The target of a link; null if there is no link. */
async function linkAt(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'EINVAL') return null;
    throw thrown;
  }
}
