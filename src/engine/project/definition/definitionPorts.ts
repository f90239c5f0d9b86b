/** The folders of projects as their definitions need them. Nothing follows a link. */

/** The result of reading a project's PROJECT.md. */
export type FoundFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  /** Larger than the limit of reading. */
  | { readonly kind: 'large' }
  | { readonly kind: 'no_file' }
  | { readonly kind: 'no_folder' }
  /** The folder has neither PROJECT.md nor the folders that are created with it. */
  | { readonly kind: 'bare_folder' }
  /** A link, a file in place of the folder, or the like. `what` continues "PROJECT.md …". */
  | { readonly kind: 'refused'; readonly what: string };

export interface ProjectFiles {
  /** Names of all entries in the folder of projects. */
  names(): Promise<readonly string[]>;
  /** Like `look`, but does not read the file. */
  probe(name: string): Promise<FoundFile['kind']>;
  look(name: string): Promise<FoundFile>;
  /** The last note. Null if there is none. */
  noted(name: string): Promise<string | null>;
  /** Stores at most 100 characters about the current PROJECT.md. Throws DISK. */
  note(name: string, mark: string): Promise<void>;
  /**
   * Writes PROJECT.md atomically and durably, then its note, and creates the folders of a project. Throws DISK, or NOT_PERMITTED
   * if a path is a link.
   */
  write(name: string, text: string, mark: string): Promise<void>;
  /** Stores an edited text beside PROJECT.md, and returns the name of its file. Throws DISK. */
  keep(name: string, bytes: Uint8Array, at: string): Promise<string>;
  /** Notifies of changes to PROJECT.md or the folder of each followed project. */
  watch(changed: (name: string) => void, failed: (thrown: unknown) => void): FolderWatch;
}

export interface FolderWatch {
  /** Call again after the folder is created or recreated. Otherwise a no-op. */
  follow(name: string): void;
  unfollow(name: string): void;
  close(): void;
}
