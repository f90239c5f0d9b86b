/** The model of the next session of a role, and the route that chose it. A session that exists keeps the model of its row. */

import { pricesWith } from '../../core/money/price/terms.ts';
import { plannerRoute, reviewerRoute, routedModel, workerRoute } from '../../core/routing/route.ts';
import type { FeatureRow, JobRow, PhaseRow } from '../../shared/job/rows.ts';
import type { LadderRole, Route } from '../../shared/routing.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { LoopPorts } from './context.ts';

export interface Routed {
  readonly model: string;
  /** Null if routing does not choose. */
  readonly route: Route | null;
}

const factsOf = ({ options }: JobRow) => ({ prices: pricesWith(options.terms) });

const routed = (job: JobRow, role: LadderRole, route: Route | null): Routed => ({
  model: routedModel(job, role, route),
  route,
});

/** Reads the record only if routing needs it. */
export async function routeWorker(
  { routingRecord }: Pick<LoopPorts, 'routingRecord'>,
  state: State,
  job: JobRow,
  feature: FeatureRow,
): Promise<Routed> {
  const { routing = 'off', provider } = job.options;
  const record = routing === 'off' ? [] : await routingRecord(provider);
  return routed(job, 'worker', workerRoute(state, job, feature, { ...factsOf(job), record }));
}

export const routeReviewer = (state: State, job: JobRow, phase: PhaseRow): Routed =>
  routed(job, 'reviewer', reviewerRoute(state, job, phase, factsOf(job)));

export const routePlanner = (job: JobRow): Routed => routed(job, 'planner', plannerRoute(job, factsOf(job)));
