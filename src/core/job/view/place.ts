/** Derives where the open attempt at a feature is: its lane, its number in the merge queue, and why it was returned. */

import type { CardPlace } from '../../../shared/job/place.ts';
import type { AttemptRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isOpenAttempt, laneOf } from '../../state/rows.ts';
import { lanesOf } from '../lanes.ts';
import { mergeQueue } from '../mergeQueue.ts';
import { causeText } from '../result/returnsText.ts';

/** Null if no attempt is open, or if the job has one lane and the attempt was never queued. */
export function placeOf(state: State, attempt: AttemptRow | null | undefined): CardPlace | null {
  if (attempt == null || attempt.feature_id === null || !isOpenAttempt(attempt)) return null;
  const job = state.jobs.get(attempt.job_id);
  const returned = attempt.returns.at(-1);
  const isPlain = attempt.status !== 'queued' && returned === undefined && laneOf(attempt) === 0;
  if (job === undefined || (isPlain && lanesOf(job) === 1)) return null;
  const queue =
    attempt.status === 'queued' ? mergeQueue(state, job.id).findIndex(({ id }) => id === attempt.id) + 1 : null;
  return {
    lane: laneOf(attempt) + 1,
    queue,
    returned:
      queue === null && returned !== undefined
        ? { cause: returned.cause, path: returned.paths[0] ?? null, more: Math.max(0, returned.paths.length - 1) }
        : null,
  };
}

/** e.g. `lane 2, returned: conflict in src/a.ts` */
export function placeText({ lane, queue, returned }: CardPlace): string {
  if (queue !== null) return `lane ${lane}, number ${queue} in the merge queue`;
  if (returned === null) return `lane ${lane}`;
  const { cause, path, more } = returned;
  return `lane ${lane}, returned: ${causeText(cause, path, more)}`;
}

export const isSamePlace = (a: CardPlace | null, b: CardPlace | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
