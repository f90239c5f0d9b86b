/** Reads from the state of a run what its worker passed and cost. */
import type { WorkerPart } from '../../shared/eval/records.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { isJudged, observations } from '../routing/evidence.ts';

/**
 * The first attempts at the features, as routing reads them from a job. Null if no attempt was judged, an attempt has no known
 * price, or another agent or model worked too, as with routing: then the run does not show what the model of the job can do.
 * `state` is that of the run and has no other job.
 */
export function workerPart(state: State, { options }: Pick<JobRow, 'options'>): WorkerPart | null {
  const first = observations(state, options.provider);
  const worked = new Set(
    [...state.attempts.values()].filter((row) => row.feature_id !== null && isJudged(row)).map((row) => row.feature_id),
  );
  const areAll = first.length === worked.size && first.every(({ model }) => model === options.models.worker);
  const [one] = first;
  if (one === undefined || !areAll) return null;
  return {
    category: first.every(({ category }) => category === one.category) ? one.category : null,
    features: first.length,
    passed: first.filter(({ passed }) => passed).length,
    microUsd: first.reduce((sum, { microUsd }) => sum + microUsd, 0),
  };
}
