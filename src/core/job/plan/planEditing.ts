/** The editable form of a job's plan: parts that have a row contain its id, so that an edit keeps their work. */

import type { Plan, PlanFeature, PlanPhase } from '../../../shared/job/plan.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { planId } from '../../state/planId.ts';
import { jobPhases, phaseFeatures } from '../../state/rows.ts';

/** Null if there is no plan. Before acceptance the plan is its newest version, after that it is built from the current rows. */
export function editablePlan(state: State, job: JobRow): Plan | null {
  const newest = state.plans.get(planId(job.id, job.plan_version));
  if (newest === undefined) return null;
  if (!job.plan_accepted) return newest.plan;
  const phases = jobPhases(state, job.id).map(
    (row): PlanPhase => ({
      id: row.id,
      title: row.title,
      objective: row.objective,
      acceptance_criteria: [...row.acceptance_criteria],
      verify_commands: [...row.verify_commands],
      features: phaseFeatures(state, row.id).map((feature) => ({
        id: feature.id,
        name: feature.name,
        description: feature.description,
        category: feature.category,
        testing_steps: [...feature.testing_steps],
        depends_on: feature.depends_on.flatMap((id) => state.features.get(id)?.name ?? []),
        ...(feature.verify_commands.length === 0 ? {} : { verify_commands: [...feature.verify_commands] }),
        ...(feature.paths.length === 0 ? {} : { paths: [...feature.paths] }),
      })),
    }),
  );
  return { ...newest.plan, phases };
}

/** The status of started features by id. They keep their text and their phase. */
export function begunFeatures(state: State, jobId: string): ReadonlyMap<number, string> {
  const features = new Map<number, string>();
  for (const phase of jobPhases(state, jobId)) {
    for (const row of phaseFeatures(state, phase.id)) {
      if (row.status === 'in_progress' || row.status === 'completed') features.set(row.id, row.status);
    }
  }
  return features;
}

/** The plan's content without ids of rows. */
export function withoutIds(plan: Plan): Plan {
  return {
    ...plan,
    phases: plan.phases.map(({ id: _, ...phase }) => ({
      ...phase,
      features: phase.features.map(({ id: __, ...feature }) => feature),
    })),
  };
}

/** Whether two plans are equal, ignoring the order of their fields. */
export function samePlan(a: Plan, b: Plan): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(plan: Plan): unknown {
  const { title, phases, setup = [], findings = '', assumptions = [], questions = [] } = plan;
  const feature = (one: PlanFeature): unknown => [
    one.id ?? null,
    one.name,
    one.description,
    one.category,
    one.testing_steps,
    one.depends_on,
    one.verify_commands ?? [],
    one.paths ?? [],
  ];
  return [
    title,
    phases.map((one) => [
      one.id ?? null,
      one.title,
      one.objective,
      one.acceptance_criteria,
      one.verify_commands,
      one.features.map(feature),
    ]),
    [setup, findings, assumptions, questions],
  ];
}
