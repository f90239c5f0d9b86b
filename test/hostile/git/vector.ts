/** A way to make git run, read or write what it should not. */
import type { GitGround } from './ground.ts';

export interface Vector {
  /** Also of the file that its program leaves behind. */
  readonly name: string;
  /** Its files may be meant to go through a filter: the checkout is then the user's own to move. */
  readonly filters?: true;
  /** A git that nothing protects stumbles over it, or over no other vector beside it. */
  readonly masks?: true;
  /** Writes files only, or runs git before anything hostile is there. */
  plant(ground: GitGround): void;
}
