/** The backlog: pending features that no job has, as an import leaves them. They become features of a job and keep their ids. */

import { failure } from '../../../shared/errors.ts';
import type { Plan, PlanFeature } from '../../../shared/job/plan.ts';
import { PLAN_LIMITS } from '../../../shared/job/planLimits.ts';
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';

const NAMED_IDS = 20;
const NO_CATEGORY = 'general';

/** In the order of their ids, as seed 003 picks them. */
export function backlog(state: Pick<State, 'features'>): FeatureRow[] {
  return [...state.features.values()]
    .filter((row) => row.job_id === null && row.status === 'pending')
    .sort((a, b) => a.id - b.id);
}

/** The features for the next job, up to the limit of one plan. Throws `NOT_FOUND` if there are none. */
export function nextBacklog(state: Pick<State, 'features'>): FeatureRow[] {
  const next = backlog(state).slice(0, PLAN_LIMITS.features);
  if (next.length > 0) return next;
  throw failure('NOT_FOUND', 'the backlog is empty: every pending feature belongs to a job', {
    hint: 'Features come into the backlog when a features.db of an older tool is imported.',
  });
}

/** Features that a job took from the backlog and that are in none of its phases: no plan of it was accepted yet. */
export function unplannedFeatures(state: Pick<State, 'features'>, jobId: string): FeatureRow[] {
  return [...state.features.values()]
    .filter((row) => row.job_id === jobId && row.phase_id === null)
    .sort((a, b) => a.id - b.id);
}

/** A pending feature that its job does not work on: another job can take it. */
export function toBacklog(feature: FeatureRow): FeatureRow {
  return { ...feature, job_id: null, phase_id: null, executors: null, candidates: [] };
}

const featureCount = (count: number): string => `${count} feature${count === 1 ? '' : 's'}`;

export const backlogTitle = (features: readonly FeatureRow[]): string => `Backlog: ${featureCount(features.length)}`;

export function backlogBrief(features: readonly FeatureRow[]): string {
  const ids = features.slice(0, NAMED_IDS).map(({ id }) => id);
  const more = features.length - ids.length;
  const named = `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `Work through the backlog: ${featureCount(features.length)} (${named}), in this order. A feature is done when its testing steps hold.`;
}

/** The first plan of a job with the backlog, which needs no planner. null for a job with a brief, or for a later plan. */
export function ownPlan(
  state: Pick<State, 'features'>,
  { id, plan_version }: Pick<JobRow, 'id' | 'plan_version'>,
): EventDraft | null {
  const taken = plan_version === 0 ? unplannedFeatures(state, id) : [];
  if (taken.length === 0) return null;
  return { type: 'plan_proposed', job_id: id, plan_version: 1, plan: backlogPlan(taken), by: 'backlog', session: null };
}

/** A plan of one phase with these features. Throws `INVALID_INPUT` if a feature does not fit into a plan, because text must not be cut silently. */
export function backlogPlan(features: readonly FeatureRow[]): Plan {
  return {
    title: backlogTitle(features),
    phases: [
      {
        title: 'Backlog',
        objective: 'Implement these features in their order.',
        acceptance_criteria: ['The testing steps of each completed feature hold.'],
        verify_commands: [],
        features: plannedFeatures(features),
      },
    ],
  };
}

/** Adds the ids of these features to a plan that uses their names: an agent writes plans without ids. */
export function withBacklogIds(plan: Plan, features: readonly FeatureRow[]): Plan {
  const ids = new Map(plannedFeatures(features).map(({ name, id }) => [name, id]));
  return {
    ...plan,
    phases: plan.phases.map((phase) => ({
      ...phase,
      features: phase.features.map((feature) => {
        const id = ids.get(feature.name);
        return id === undefined ? feature : { ...feature, id };
      }),
    })),
  };
}

/** These features as a plan has them. Throws as `backlogPlan` does. */
export function plannedFeatures(features: readonly FeatureRow[]): PlanFeature[] {
  const names = new Set<string>();
  return features.map((row) => planFeature(row, names));
}

/** `names`: the names used so far; the function adds this one. */
function planFeature(row: FeatureRow, names: Set<string>): PlanFeature {
  const whole = row.name.trim() || `Feature ${row.id}`;
  const name = uniqueName(whole, row.id, names);
  const given = row.description.trim() || whole;
  const description = name === whole || given.includes(whole) ? given : `${whole}\n\n${given}`;
  const testing_steps = row.testing_steps.map((text) => text.trim()).filter((text) => text !== '');
  const category = row.category.trim() || NO_CATEGORY;
  const tooLong =
    fault('its description', description.length, PLAN_LIMITS.text) ??
    fault('its category', category.length, PLAN_LIMITS.name) ??
    fault('a testing step', Math.max(0, ...testing_steps.map((text) => text.length)), PLAN_LIMITS.command) ??
    fault('its list of testing steps', testing_steps.length, PLAN_LIMITS.list, 'steps');
  if (tooLong !== null) {
    throw failure('INVALID_INPUT', `feature ${row.id} does not fit into a plan: ${tooLong}`, {
      hint: `To leave it out, run: autonomous status ${row.id} failed`,
    });
  }
  names.add(name);
  return { id: row.id, name, description, category, testing_steps, depends_on: [] };
}

function fault(what: string, size: number, limit: number, unit = 'characters'): string | null {
  return size > limit ? `${what} has ${size} ${unit}, at most ${limit} are allowed` : null;
}

/** A plan names each feature once, and shortly. */
function uniqueName(whole: string, id: number, taken: ReadonlySet<string>): string {
  const mark = ` (${id})`;
  const short =
    whole.length > PLAN_LIMITS.name ? `${whole.slice(0, PLAN_LIMITS.name - mark.length - 1).trim()}…` : whole;
  return taken.has(short) ? `${whole.slice(0, PLAN_LIMITS.name - mark.length).trim()}${mark}` : short;
}
