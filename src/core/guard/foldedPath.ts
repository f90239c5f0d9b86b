/**
 * Compares paths for refusals: two paths count as equal if any system takes them for the same file. Such a comparison never permits
 * anything, because another system may have two files there.
 */
import { foldedName } from './hiddenNames.ts';

/** `\\?\C:\x` is `C:\x`, and `\\?\UNC\server\share` is `\\server\share`. */
const DEVICE_PREFIX = /^[\\/]{2}[?.][\\/](?:UNC[\\/])?/i;
const DRIVE = /^[a-z]:/i;

/** Folds each name of a path, without empty ones, `.` and `..`. */
export function foldedNames(path: string): readonly string[] {
  const names: string[] = [];
  for (const name of path.split(/[\\/]/)) {
    if (name === '..') names.pop();
    else if (foldedName(name) !== '') names.push(foldedName(name));
  }
  return names;
}

/** The drive, empty if there is none, and the names. */
function foldedParts(path: string): readonly string[] {
  const plain = path.replace(DEVICE_PREFIX, '');
  return [DRIVE.exec(plain)?.[0].toLowerCase() ?? '', ...foldedNames(plain.replace(DRIVE, ''))];
}

/** Whether some system may take `path` for `folder` or something in it. Both are absolute, or relative to the same folder. */
export function mayBeWithin(path: string, folder: string): boolean {
  const parts = foldedParts(path);
  return foldedParts(folder).every((part, at) => part === parts[at]);
}

/** The folded names of a path from a folder that it may be within. */
export const namesBelow = (path: string, folder: string): readonly string[] =>
  foldedParts(path).slice(foldedParts(folder).length);
