/** Finds programs by absolute path, never in a folder that others may write. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { mayBeWithin } from '../../core/guard/foldedPath.ts';
import { foldedName } from '../../core/guard/hiddenNames.ts';
import { errnoOf } from '../../shared/errors.ts';
import { ownEnvironment, platform } from './platform.ts';

/**
 * Whether `path` is `folder` or inside it; both absolute and resolved. For permissions: nothing is folded, since real paths are in the
 * spelling of the disk.
 */
export function isWithin(path: string, folder: string, separator: '/' | '\\' = sep): boolean {
  return path === folder || path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** The real path of the part that exists, in the spelling of the disk, with the rest. */
export function resolved(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    // The root may be a drive that is not connected.
    return dirname(path) === path ? path : join(resolved(dirname(path)), basename(path));
  }
}

/**
 * Whether a path is, or leads, inside one of the folders, as any system would compare them. For refusals.
 */
export function mayLeadInto(path: string, folders: readonly string[]): boolean {
  const places = folders.flatMap((folder) => [folder, resolved(folder)]);
  return [path, resolved(path)].some((one) => places.some((folder) => mayBeWithin(one, folder)));
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
  const folders = basename(name) === name ? path.split(delimiter).filter((folder) => isAbsolute(folder)) : [''];
  const names = platform.programNames(name, ownEnvironment());
  const candidates = folders.flatMap((folder) => names.map((file) => (folder === '' ? file : join(folder, file))));
  return candidates.find((file) => isAbsolute(file) && isExecutable(file) && !mayLeadInto(file, outside)) ?? null;
}

/**
 * A PATH without the folders of packages: no program that runs outside the sandbox comes from a package, not even to
 * print its version.
 */
export function ownFolders(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !folder.split(/[\\/]/).map(foldedName).includes('node_modules'))
    .join(delimiter);
}
