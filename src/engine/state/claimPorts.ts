/** Declares the claims of epochs and the view of other processes, which keep owners apart. */
import { createHash } from 'node:crypto';
import type { ProcessMark } from '../../core/state/processMark.ts';

/** Names a state in the claims and in the addresses of its owners, by the real path of its folder: 64 hex digits. */
export const stateNameOf = (stateDir: string): string => createHash('sha256').update(stateDir).digest('hex');

/** Identifies the process behind a claim. */
export interface Claimant {
  /** Content of this process's claim. */
  readonly claim: Uint8Array;
  /** Resolves when the process of this claim is no longer working, else rejects. `path` is the path of the claim. */
  gone(claim: Uint8Array, path: string): Promise<void>;
  /**
   * Runs once this process has claimed an epoch, before it writes under it. If it fails, nothing is claimed. `isOwner`: whether no process
   * has claimed a higher epoch since.
   */
  claimed(isOwner: () => Promise<boolean>): Promise<void>;
}

export interface Epochs {
  /** Asks about the highest claim. */
  askHighest(gone: Claimant['gone']): Promise<void>;
  /** Whether its owner gave this claim up. */
  isReleased(claim: Uint8Array): boolean;
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
