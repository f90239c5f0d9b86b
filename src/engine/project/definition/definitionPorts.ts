/** The folders of projects as their definitions need them. Nothing follows a link. */

/** What lies where a project's PROJECT.md should. */
export type FoundFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  /** Larger than what is read. */
  | { readonly kind: 'large' }
  | { readonly kind: 'no_file' }
  | { readonly kind: 'no_folder' }
  /** A link, a file in place of the folder, or the like; `what` goes on "PROJECT.md …". */
  | { readonly kind: 'refused'; readonly what: string };

export interface ProjectFiles {
  /** Everything that lies where projects lie. */
  names(): Promise<readonly string[]>;
  /** As `look`, but nothing is read. */
  probe(name: string): Promise<FoundFile['kind']>;
  look(name: string): Promise<FoundFile>;
  /** What was noted last; null: nothing ever was. */
  noted(name: string): Promise<string | null>;
  /** Keeps at most 100 characters about PROJECT.md as it lies. Throws DISK. */
  note(name: string, mark: string): Promise<void>;
  /** PROJECT.md whole, durably, then its note, and the folders that a project has. Throws DISK, NOT_PERMITTED where a link lies. */
  write(name: string, text: string, mark: string): Promise<void>;
  /** Puts an edited text beside PROJECT.md, and gives the name of its file. Throws DISK. */
  keep(name: string, bytes: Uint8Array, at: string): Promise<string>;
  /** Tells when something happened to PROJECT.md of a project that is followed, or to its folder. */
  watch(changed: (name: string) => void, failed: (thrown: unknown) => void): FolderWatch;
}

export interface FolderWatch {
  /** To be called again for a folder that was not there, or was made anew; else that changes nothing. */
  follow(name: string): void;
  unfollow(name: string): void;
  close(): void;
}
