/** What a program and the tests over it agree on, without anything of the program's. */

/** In the message of each error. */
export const HELD_WORDS = 'another program has it open';

export const HELD_CODES = ['EPERM', 'EBUSY', 'EACCES'] as const;

export interface HeldPlan {
  /** Files below it. */
  readonly root: string;
  /** A line for each operation that does not repeat another one: whether its file is `held` or `free`, its name, and its paths. */
  readonly log: string;
  readonly code: (typeof HELD_CODES)[number];
  /** The first file that is held, in the order in which a thread renames and removes; 0: none. */
  readonly first: number;
  /** From one to the next. */
  readonly apart: number;
  /** How many attempts fail: at least, and below. */
  readonly attempts: readonly [number, number];
  readonly seed: number;
}
