/** Whether what stands at a path that others could have made is this user's: nobody else may have put it there, or anything into it. */

export interface PlaceSeen {
  /** Looked at without following a link. */
  readonly kind: 'folder' | 'file' | 'other';
  readonly uid: number;
  readonly mode: number;
}

/** What is wrong with it, to be said after its path; null: nothing. `uid` undefined: a system without such owners. */
export function faultOfPlace(seen: PlaceSeen, wanted: 'folder' | 'file', uid: number | undefined): string | null {
  if (seen.kind !== wanted) return wanted === 'folder' ? 'is not a folder' : 'is not a plain file';
  if (uid === undefined) return null;
  if (seen.uid !== uid) return 'belongs to another user';
  if ((seen.mode & 0o022) !== 0) return 'may be written by other users';
  return wanted === 'file' && (seen.mode & 0o044) !== 0 ? 'may be read by other users' : null;
}
