/** What a check of this machine found. Plain data: the terminal and the editor word it. */
export interface Diagnostic {
  /** Stable, in kebab-case. */
  readonly name: string;
  readonly ok: boolean;
  /** What was found, one sentence. */
  readonly detail: string;
  /** What to do about it, with the exact command if there is one. Empty if nothing is wrong. */
  readonly fix: string;
}

/** Where the key for new jobs comes from. */
export interface KeyFound {
  /** `unneeded`: their provider takes none. */
  readonly source: 'stored' | 'environment' | 'unneeded' | 'none';
  /** Too short to be taken out of logs, transcripts and exports. */
  readonly short: boolean;
}
