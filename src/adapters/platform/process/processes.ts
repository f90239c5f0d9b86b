/** What can be seen of the processes of this machine, as types. */

/** Identifies a process even if its number is reused. */
export interface ProcessId {
  readonly pid: number;
  /** When it started: clock ticks since boot from /proc, a time of day to the second from `ps`. */
  readonly start: string;
}

export interface ProcessRow extends ProcessId {
  readonly parent: number;
  /** The letter of its state: Z and X have ended, T is stopped. */
  readonly state: string;
}

/**
 * A process that ends between two calls is not found by the second: no call throws for that. Where a list needs a program,
 * each call throws COMMAND_FAILED if that does not run: then nothing is known.
 */
export interface Processes {
  /** Every process, zombies included. Empty if processes cannot be listed here. */
  all(): readonly ProcessRow[];
  /** Those of these that exist. */
  some(pids: readonly number[]): readonly ProcessRow[];
  /** Whether both are the start of one process. */
  isSameStart(a: string, b: string): boolean;
  /** The states of its threads, a letter each: a leader may be a zombie while other threads still write. */
  threadStates(pid: number): string;
  /** Its arguments and its initial environment. */
  words(pid: number): string;
  /** The first characters of its program's name. */
  program(pid: number): string;
  /** Processes whose initial environment contains this text. */
  withVariable(text: string): readonly number[];
  /** Children of a process. Null if only a list of all processes shows them. */
  children(pid: number): readonly number[] | null;
  /** The number of tasks (threads count) of the whole machine. Null if no cheap read shows it. */
  taskCount(): number | null;
  /** Milliseconds between two looks at a tree of processes that runs: a look may start a program. */
  readonly lookMs: number;
}
