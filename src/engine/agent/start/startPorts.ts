/** Lookups on this machine before an external agent starts. */

export interface AgentMachine {
  /** Absolute path of a program on `path` (a PATH value) that is not in one of the `outside` folders; null if there is none. */
  findProgram(name: string, path: string, outside: readonly string[]): string | null;
  /**
   * Folders that hold the programs and what belongs to them. They may be in a place that is denied otherwise; no folder around the
   * home or a banned folder is among them.
   */
  installations(programs: readonly string[], banned: readonly string[]): string[];
  /** Whether there is such a file below the user's home. */
  isInHome(path: string): Promise<boolean>;
  /** Text of a file below the user's home; null if it cannot be read. */
  homeText(path: string): Promise<string | null>;
  writeFile(path: string, text: string): Promise<void>;
}

/** The process that is about to read a clone. */
export interface CloneReader {
  readonly title: string;
  /** Whether its answer approves. */
  readonly judges: boolean;
  readonly sandboxed: boolean;
}
