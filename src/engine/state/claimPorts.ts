/** What keeps owners apart: the claims of epochs, and processes of others. */

/** Whose process a claim is. */
export interface Claimant {
  /** What a claim of this process says. */
  readonly claim: Uint8Array;
  /** Resolves when whoever made this claim is at work no more, else rejects. `path`: where it lies. */
  gone(claim: Uint8Array, path: string): Promise<void>;
}

export interface Epochs {
  /** Asks about the highest claim. */
  askHighest(gone: Claimant['gone']): Promise<void>;
  /** Whether its owner gave this claim up. */
  isReleased(claim: Uint8Array): boolean;
}

/** A process: its number, where that means something, and since when. Empty: this system does not say. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in clock ticks since boot. */
  readonly start: string;
  readonly boot: string;
  /** Its PID namespace. */
  readonly space: string;
  readonly machine: string;
}

/** `unknown`: it cannot be seen from here. */
export type Whereabouts = 'self' | 'gone' | 'alive' | 'unknown';

export interface OtherProcesses {
  /** Of this process. */
  own(): ProcessMark;
  whereabouts(one: ProcessMark): Whereabouts;
  /** Whether it is gone within this time: one that is being ended may take a moment. */
  isGoneWithin(one: ProcessMark, ms: number): Promise<boolean>;
  /** Ends it and the commands that it runs. NOT_PERMITTED where that cannot be done, or be seen. */
  end(one: ProcessMark): Promise<void>;
}
