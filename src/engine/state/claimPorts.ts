/** Declares the claims of epochs and the view of other processes, which keep owners apart. */

/** Identifies the process behind a claim. */
export interface Claimant {
  /** Content of this process's claim. */
  readonly claim: Uint8Array;
  /** Resolves when the process of this claim is no longer working, else rejects. `path` is the path of the claim. */
  gone(claim: Uint8Array, path: string): Promise<void>;
}

export interface Epochs {
  /** Asks about the highest claim. */
  askHighest(gone: Claimant['gone']): Promise<void>;
  /** Whether its owner gave this claim up. */
  isReleased(claim: Uint8Array): boolean;
}

/** Identifies a process by its number, if that is unambiguous, and its start time. Empty if the system does not provide them. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly start: string;
  readonly boot: string;
  /** The process's PID namespace. */
  readonly space: string;
  readonly machine: string;
}

/** `unknown`: it cannot be seen from here. */
export type Whereabouts = 'self' | 'gone' | 'alive' | 'unknown';

export interface OtherProcesses {
  /** The mark of this process. */
  own(): ProcessMark;
  whereabouts(one: ProcessMark): Whereabouts;
  /** Whether the process ends within this time. A process that is being terminated may take a moment. */
  isGoneWithin(one: ProcessMark, ms: number): Promise<boolean>;
  /** Terminates the process and its commands. Throws NOT_PERMITTED if that is impossible or cannot be verified. */
  end(one: ProcessMark): Promise<void>;
}
