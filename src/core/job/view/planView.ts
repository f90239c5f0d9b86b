/** The newest plan of a job, for the page. */

import type { PanelPlan, PanelPlanFeature, PanelPlanPhase } from '../../../shared/job/planView.ts';
import type { JobRow, PlanRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { pendingApprovals, planAsked } from '../../approval/stewardship.ts';
import type { Ledger } from '../../money/ledger.ts';
import { isAnyPriced } from '../../money/limitsLeft.ts';
import { planId } from '../../state/planId.ts';
import { jobFeatures, openAttempts } from '../../state/rows.ts';
import { featureApprovals, lanesOf } from '../lanes.ts';
import { startsAtOnce } from '../plan/startsAtOnce.ts';
import { placeOf } from './place.ts';
import { planEstimate } from './planEstimate.ts';
import { timeline } from './timeline.ts';

/** Where the work of each feature is, by its name. Empty before the plan is accepted. */
function nowOf(state: State, job: JobRow): ReadonlyMap<string, PanelPlanFeature['now']> {
  const questions = featureApprovals(state);
  const rows = job.plan_accepted ? jobFeatures(state, job.id) : [];
  const open = new Map(openAttempts(state, job.id).map((row) => [row.feature_id, row]));
  return new Map(
    rows.map((row) => {
      const place = placeOf(state, open.get(row.id));
      return [row.name, { lane: questions.has(row.id) ? 'needs_you' : row.status, place }];
    }),
  );
}

function phasesOf({ plan }: PlanRow, now: ReturnType<typeof nowOf>, lanes: number): PanelPlanPhase[] {
  let number = 0;
  return plan.phases.map((phase, at) => ({
    number: at + 1,
    title: phase.title,
    objective: phase.objective,
    criteria: phase.acceptance_criteria,
    verify: phase.verify_commands,
    startsAtOnce: startsAtOnce(phase, lanes),
    features: phase.features.map((feature) => {
      const { name, category, description, testing_steps: testingSteps, depends_on: dependsOn } = feature;
      const { verify_commands: verify = [], paths = [] } = feature;
      number++;
      const at = now.get(name) ?? null;
      return { number, name, category, description, testingSteps, verify, dependsOn, paths, now: at };
    }),
  }));
}

/** The features of the plan that are not completed: in a running job they have their row's id. */
function openFeatures(state: State, { plan }: PlanRow): number {
  const all = plan.phases.flatMap(({ features }) => features);
  return all.filter(({ id }) => id === undefined || state.features.get(id)?.status !== 'completed').length;
}

function budgetOf(job: JobRow): number | null {
  const { budgetMicroUsd } = job.options;
  return budgetMicroUsd === null || !isAnyPriced(job) ? null : budgetMicroUsd / 1e6;
}

/** Null if the job does not exist or has no plan. */
export function planView(state: State, ledger: Ledger, jobId: string): PanelPlan | null {
  const job = state.jobs.get(jobId);
  const row = job === undefined ? undefined : state.plans.get(planId(jobId, job.plan_version));
  if (job === undefined || row === undefined) return null;
  const asked = pendingApprovals(state).find((approval) => planAsked(state, approval)?.id === row.id);
  return {
    jobId,
    title: row.plan.title,
    version: row.version,
    by: row.by,
    at: row.at,
    accepted: job.plan_accepted,
    approvalId: asked?.id ?? null,
    budgetUsd: budgetOf(job),
    questions: row.plan.questions ?? [],
    setup: row.plan.setup ?? [],
    assumptions: row.plan.assumptions ?? [],
    findings: row.plan.findings ?? '',
    phases: phasesOf(row, nowOf(state, job), lanesOf(job)),
    estimate: planEstimate(state, ledger, job, openFeatures(state, row)),
    timeline: timeline(state, job),
  };
}
