/** Checks whether a file or folder at a path that other users could have created belongs to this user, and cannot be changed by others. */
import { failure } from '../../shared/errors.ts';

export interface FileStat {
  /** Without following a link. */
  readonly kind: 'folder' | 'file' | 'other';
  readonly uid: number;
  readonly mode: number;
}

/** Returns the fault, to be shown after the path, or null. `uid` is undefined on a system without such owners. */
export function faultOfPlace(seen: FileStat, wanted: 'folder' | 'file', uid: number | undefined): string | null {
  if (seen.kind !== wanted) return wanted === 'folder' ? 'is not a folder' : 'is not a plain file';
  if (uid === undefined) return null;
  if (seen.uid !== uid) return 'belongs to another user';
  if ((seen.mode & 0o022) !== 0) return 'may be written by other users';
  return wanted === 'file' && (seen.mode & 0o044) !== 0 ? 'may be read by other users' : null;
}

/** Throws NOT_PERMITTED. Parameters as of `faultOfPlace`. */
export function requireOwnPlace(path: string, ...look: Parameters<typeof faultOfPlace>): void {
  const fault = faultOfPlace(...look);
  if (fault === null) return;
  throw failure('NOT_PERMITTED', `${path} ${fault}`, {
    hint: 'Remove it or make it yours alone (chmod 700), or name another folder in AUTONOMOUS_RUNTIME_DIR.',
    details: { path },
  });
}
