/** Saved work of attempts in `.autonomous`, and the forms in which it can be restored. */

/** In the order of ids. `bytes` is the size on disk, compressed. */
export type KeptList = readonly { readonly id: number; readonly bytes: number }[];

/** A new branch of the repository, or a new file (absolute): a patch of all since the user's commit, or of the attempt's own part. */
export type RestoreAs = { readonly branch: string } | { readonly patchFile: string; readonly ownOnly: boolean };

export interface Restored {
  /** The branch, or the file. */
  readonly target: string;
  /** The commit of the branch. Null for a patch. */
  readonly commit: string | null;
  /** The user's commit that the work is based on. */
  readonly origin: string;
}
