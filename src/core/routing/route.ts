/** Chooses the model of the next session from the job's ladders and the record of the workspace. The choice is stored with its attempt. */

import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../shared/job/rows.ts';
import type { LadderRole, Route } from '../../shared/routing.ts';
import type { State } from '../../shared/workspace/state.ts';
import { executorFor, isSideBySide } from '../agent/executors.ts';
import { hasPrice, type PriceTable } from '../money/price/pricing.ts';
import { featureAttempts } from '../state/rows.ts';
import { isFailure, type Observation } from './evidence.ts';
import { climbReason, floorReason, lastReason, startReason } from './routeWords.ts';
import { costPerPassed, type Rung, rungsOf, startingRung } from './rungs.ts';

/** The models of earlier attempts, oldest first. */
export interface PastModel {
  readonly model: string;
  readonly number: number;
  /** Whether the attempt failed, so that the next one needs a stronger model. */
  readonly failed: boolean;
}

export interface Choice {
  readonly rung: number;
  readonly reason: string;
}

export interface Climb {
  /** Rungs with prices, from cheap to strong. */
  readonly rungs: readonly Rung[];
  readonly category: string;
  readonly past: readonly PastModel[];
  /** Attempts that are left, this one included. */
  readonly attemptsLeft: number;
}

/**
 * The rung of the next attempt at a feature: the start by evidence, one rung up after a failure, never down, and the strongest rung for the last
 * attempt, so that a feature fails only if the strongest model failed at it. Null for an empty ladder.
 */
export function chooseRung({ rungs, category, past, attemptsLeft }: Climb): Choice | null {
  const top = rungs.length - 1;
  const known = past.flatMap((one) => {
    const rung = rungs.findIndex(({ model }) => model === one.model);
    return rung === -1 ? [] : [{ ...one, rung }];
  });
  if (top < 0) return null;
  const highest = known.reduce((most, { rung }) => Math.max(most, rung), -1);
  const failure = known.findLast(({ failed, rung }) => failed && rung === highest);
  const start = startingRung(rungs, attemptsLeft);
  if (attemptsLeft <= 1 && highest < top) return { rung: top, reason: lastReason(rungs, past.length) };
  if (failure !== undefined) {
    const rung = Math.min(highest + 1, top);
    return { rung, reason: climbReason(rungs, rung, failure) };
  }
  if (highest >= start) return { rung: highest, reason: floorReason(rungs, highest) };
  const perPassed = rungs.map((_, at) => costPerPassed(rungs, at, attemptsLeft));
  return { rung: start, reason: startReason(rungs, start, category, perPassed) };
}

/** What the decisions need besides the rows. */
export interface RoutingFacts {
  readonly prices: PriceTable;
  /** Results of the jobs and the evals of the workspace. */
  readonly record: readonly Observation[];
}

/** The ladder of a role whose sessions routing may choose a model for. Null if routing is off or another agent works in the role. */
function ladderOf(job: JobRow, role: LadderRole, feature: FeatureRow | null): readonly string[] | null {
  const { routing = 'off', ladders = {} } = job.options;
  if (routing === 'off' || executorFor(job, role, feature) !== BUILT_IN) return null;
  return ladders[role] ?? null;
}

/**
 * The route of the next attempt at a feature. Null if routing is off, the worker has no ladder, another agent works on the feature, or several agents
 * are compared at it.
 */
export function workerRoute(state: State, job: JobRow, feature: FeatureRow, facts: RoutingFacts): Route | null {
  const ladder = isSideBySide(feature) ? null : ladderOf(job, 'worker', feature);
  if (ladder === null) return null;
  const choice = chooseRung({
    rungs: rungsOf(ladder, facts.record, feature.category, facts.prices),
    category: feature.category,
    past: pastModels(state, feature),
    attemptsLeft: job.options.maxRetries - feature.retry_count,
  });
  const model = choice === null ? undefined : ladder.filter((one) => hasPrice(facts.prices, one))[choice.rung];
  return choice === null || model === undefined ? null : routed(job, model, choice.reason);
}

function routed(job: JobRow, model: string, reason: string): Route {
  return { mode: job.options.routing === 'on' ? 'on' : 'suggest', model, reason };
}

/** Attempts of other agents, and abandoned ones before their first answer, say nothing about a model of the ladder. */
function pastModels(state: State, feature: FeatureRow): PastModel[] {
  const attempts = featureAttempts(state, feature.id);
  return attempts.flatMap((attempt: AttemptRow) => {
    const session = state.sessions.get(attempt.session_id);
    if (session === undefined || session.executor !== BUILT_IN || attempt.status === 'abandoned') return [];
    const failed = isFailure(attempt, feature, attempt === attempts.at(-1));
    return [{ model: session.model, number: attempt.number, failed }];
  });
}

/**
 * The route of a review of the phase. It starts with the model of the role and never moves down: not below the model of an earlier review of the phase,
 * nor below a model of the ladder that worked on the phase. After a review whose session failed it moves up.
 */
export function reviewerRoute(
  state: State,
  job: JobRow,
  phase: PhaseRow,
  facts: Pick<RoutingFacts, 'prices'>,
): Route | null {
  const rungs = pricedLadder(job, 'reviewer', facts);
  if (rungs === null) return null;
  // A review that is started again after a crash gets the same route.
  const reviews = [...state.sessions.values()].filter(
    (row) =>
      row.role === 'reviewer' && row.phase_id === phase.id && row.executor === BUILT_IN && row.status !== 'running',
  );
  const last = reviews.at(-1);
  const lastRung = last === undefined ? -1 : rungs.indexOf(last.model);
  const earlier = reviews.map(({ model }) => rungs.indexOf(model));
  const worked = modelsAt(state, phase).map((model) => rungs.indexOf(model));
  const own = rungs.indexOf(job.options.models.reviewer);
  const climbed = last?.status === 'failed' ? Math.min(lastRung + 1, rungs.length - 1) : -1;
  const rung = Math.max(own, climbed, ...earlier, ...worked);
  const model = rungs[rung];
  if (model === undefined) return null;
  if (rung === own) return routed(job, model, `${model}: the reviewer's own model`);
  if (rung === climbed && climbed > lastRung && !earlier.includes(rung) && !worked.includes(rung))
    return routed(job, model, `${model}: the last review with ${last?.model ?? model} ended without a verdict`);
  const why = worked.includes(rung) ? 'it worked on the phase' : 'an earlier review of the phase used it';
  return routed(job, model, `${model}: ${why}, and a review never uses a weaker model`);
}

/** Models of the built-in agent that worked on the phase. */
function modelsAt(state: State, phase: PhaseRow): readonly string[] {
  const ids = new Set(
    [...state.attempts.values()]
      .filter((row) => row.phase_id === phase.id && row.feature_id !== null)
      .map((row) => row.session_id),
  );
  return [...ids].flatMap((id) => {
    const session = state.sessions.get(id);
    return session === undefined || session.executor !== BUILT_IN ? [] : [session.model];
  });
}

/** The route of a planner: the model of the role, and one rung up for each of its plans that could not be used. */
export function plannerRoute(job: JobRow, facts: Pick<RoutingFacts, 'prices'>): Route | null {
  const rungs = pricedLadder(job, 'planner', facts);
  if (rungs === null) return null;
  const own = rungs.indexOf(job.options.models.planner);
  const model = rungs[Math.min(Math.max(own, 0) + job.planner_tries, rungs.length - 1)];
  if (model === undefined) return null;
  const failed = job.planner_tries;
  const why =
    failed === 0
      ? "the planner's own model"
      : `${failed === 1 ? '1 planner session' : `${failed} planner sessions`} gave no usable plan`;
  return routed(job, model, `${model}: ${why}`);
}

function pricedLadder(
  job: JobRow,
  role: LadderRole,
  { prices }: Pick<RoutingFacts, 'prices'>,
): readonly string[] | null {
  return ladderOf(job, role, null)?.filter((model) => hasPrice(prices, model)) ?? null;
}

/** The model that a session uses: that of the route if routing is on, or else that of the role. */
export function routedModel(job: JobRow, role: LadderRole, route: Route | null): string {
  return route?.mode === 'on' ? route.model : job.options.models[role];
}
