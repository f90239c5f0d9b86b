/** Finds programs by absolute path, never in a folder that others may write. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, sep } from 'node:path';
import { errnoOf } from '../../shared/errors.ts';
import { ownEnvironment, platform } from './platform.ts';

/** Whether `path` is `folder` or inside it; both absolute and resolved. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The real path, or the given path if nothing exists there. */
export function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return path;
    throw thrown;
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return false;
    throw thrown;
  }
}

/**
 * Absolute path of a program on `path` (a PATH value), or null. Relative entries are ignored, and so are files that are
 * inside, or lead into, one of the `outside` folders. A name with a slash is taken unchanged, if absolute.
 */
export function findExecutable(name: string, path: string, outside: readonly string[] = []): string | null {
  const banned = outside.flatMap((folder) => [folder, resolved(folder)]);
  const permitted = (file: string): boolean =>
    ![file, resolved(file)].some((place) => banned.some((folder) => isWithin(place, folder)));
  const folders = basename(name) === name ? path.split(delimiter).filter((folder) => isAbsolute(folder)) : [''];
  const names = platform.programNames(name, ownEnvironment());
  const candidates = folders.flatMap((folder) => names.map((file) => (folder === '' ? file : join(folder, file))));
  return candidates.find((file) => isAbsolute(file) && isExecutable(file) && permitted(file)) ?? null;
}

/**
 * A PATH without the folders of packages: no program that runs outside the sandbox comes from a package, not even to
 * print its version.
 */
export function ownFolders(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !folder.split(sep).includes('node_modules'))
    .join(delimiter);
}
