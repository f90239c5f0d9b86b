/** The result of one check of this machine. Plain data: the terminal and the editor format it. */
export interface Diagnostic {
  /** Stable, in kebab-case. */
  readonly name: string;
  readonly ok: boolean;
  /** It could not be found out; `ok` is true. */
  readonly isUnknown?: true;
  /** The result, in one sentence. */
  readonly detail: string;
  /** The fix, with the exact command if there is one. Empty if no fix is needed. */
  readonly fix: string;
}

/** Source of the key for new jobs. */
export interface KeyFound {
  /** `unneeded`: their provider needs no key. */
  readonly source: 'stored' | 'environment' | 'unneeded' | 'none';
  /** Too short to be taken out of logs, transcripts and exports. */
  readonly short: boolean;
}
