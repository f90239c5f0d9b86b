/** Work of attempts that lies in `.autonomous`, and what can be made of it. */

/** In the order of ids; `bytes` as it lies there, compressed. */
export type KeptList = readonly { readonly id: number; readonly bytes: number }[];

/** A new branch of the repository, or a new file (absolute): a patch of all since the user's commit, or of the attempt's own part. */
export type RestoreAs = { readonly branch: string } | { readonly patchFile: string; readonly ownOnly: boolean };

export interface Restored {
  /** The branch, or the file. */
  readonly target: string;
  /** Of the branch; null: a patch. */
  readonly commit: string | null;
  /** The user's commit that it stands on. */
  readonly origin: string;
}
