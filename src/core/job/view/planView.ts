/** The newest plan of a job, for the page. */

import type { PanelPlan, PanelPlanPhase } from '../../../shared/job/planView.ts';
import type { JobRow, PlanRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { pendingApprovals, planAsked } from '../../approval/stewardship.ts';
import type { Ledger } from '../../money/ledger.ts';
import { isPriced } from '../../money/unpriced.ts';
import { planId } from '../../state/planId.ts';
import { planEstimate } from './planEstimate.ts';

function phasesOf({ plan }: PlanRow): PanelPlanPhase[] {
  let number = 0;
  return plan.phases.map((phase, at) => ({
    number: at + 1,
    title: phase.title,
    objective: phase.objective,
    criteria: phase.acceptance_criteria,
    verify: phase.verify_commands,
    features: phase.features.map((feature) => {
      const { name, category, description, testing_steps: testingSteps, depends_on: dependsOn } = feature;
      number++;
      return { number, name, category, description, testingSteps, verify: feature.verify_commands ?? [], dependsOn };
    }),
  }));
}

/** The features of the plan that are not completed: in a running job they have their row's id. */
function openFeatures(state: State, { plan }: PlanRow): number {
  const all = plan.phases.flatMap(({ features }) => features);
  return all.filter(({ id }) => id === undefined || state.features.get(id)?.status !== 'completed').length;
}

function budgetOf({ options: { budgetMicroUsd, provider } }: JobRow): number | null {
  return budgetMicroUsd === null || !isPriced(provider) ? null : budgetMicroUsd / 1e6;
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
    phases: phasesOf(row),
    estimate: planEstimate(state, ledger, job, openFeatures(state, row)),
  };
}
