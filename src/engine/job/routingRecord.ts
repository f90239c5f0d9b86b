/** The results that routing decides on. */

import { evalObservations } from '../../core/routing/evalEvidence.ts';
import { type Observation, observations } from '../../core/routing/evidence.ts';
import type { EvalResult } from '../../shared/eval/records.ts';
import type { Payee } from '../../shared/model/models.ts';
import type { State } from '../../shared/workspace/state.ts';

export interface EvalResultsPort {
  /** The results of the evals of the workspace that this machine ran, read now. Empty if that is not certain. */
  evalResults(): Promise<readonly EvalResult[]>;
}

/** Those of the jobs of the workspace, and those of its evals. */
export async function routingRecord(
  { evalResults }: EvalResultsPort,
  state: State,
  provider: Payee,
): Promise<readonly Observation[]> {
  const results = await evalResults();
  return [...observations(state, provider), ...evalObservations(results, provider)];
}
