/** Where a feature is shown: its column of the board, and the lane of its open attempt. */
import type { AttemptReturn, FeatureStatus } from './rows.ts';

/** The four statuses and the derived lane. */
export type Lane = FeatureStatus | 'needs_you';

/** Where the open attempt at a feature is. Numbers start at 1. */
export interface CardPlace {
  readonly lane: number;
  /** Its number in the merge queue. Null if it is not in the queue. */
  readonly queue: number | null;
  /** The last return by the merge queue. `path`: the first one that conflicts; `more`: the number of others. */
  readonly returned: {
    readonly cause: AttemptReturn['cause'];
    readonly path: string | null;
    readonly more: number;
  } | null;
}
