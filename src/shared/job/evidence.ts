/** Results of commands that the engine ran itself. See `shared/job/rows.ts`. */

/** Results of the verify commands of all phases. */
export interface ResultChecks {
  readonly commit: string;
  readonly evidence: readonly Evidence[];
  /** Results of the commands that failed, on the commit of the base branch alone. Empty if the base did not move. */
  readonly base: readonly Evidence[];
}

/** A result that the steward took although verify commands fail on it. */
export interface TakenFailure {
  /** Failed commands. Empty if an older version ran them. */
  readonly commands: readonly string[];
  /** Id of the question by which it was taken. */
  readonly question: number;
  /** The steward's words. */
  readonly reason: string;
}

/** A command that the engine ran, with its result. */
export interface Evidence {
  readonly command: string;
  readonly exitCode: number | null;
  /**
   * The reason why there is no exit code, or the limit that was hit: `timeout`, `output`, `processes`, `refused`. Null if the command ran to its end.
   */
  readonly ended: string | null;
  readonly durationMs: number;
  /** Name of the output in `.autonomous/artifacts`. */
  readonly artifact: string;
  /** Last lines of the output, for a prompt or a card. */
  readonly tail: string;
  readonly commit: string;
  readonly sandboxed: boolean;
  /** Set if the command ran in a fresh checkout of the commit, with the setup repeated. Absent if it ran in the worker's tree. */
  readonly fresh?: FreshRun | undefined;
}

export interface FreshRun {
  /** The outcome of the same command in the worker's tree at the same commit. Null if it did not run there. */
  readonly inTree: 'passed' | 'failed' | null;
}
