/** The content of an export. */
export interface ExportedRecord {
  /** The folder or the archive, absolute. */
  readonly target: string;
  readonly files: number;
  readonly jobs: number;
  /** SHA-256 of its manifest. */
  readonly hash: string;
}
