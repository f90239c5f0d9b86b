/** Accepts a plan: its phases and features become rows. */
import { unplannedFeatures, withBacklogIds } from '../../../core/job/plan/backlog.ts';
import { withoutIds } from '../../../core/job/plan/planEditing.ts';
import { planId } from '../../../core/state/planId.ts';
import { need } from '../../../core/state/rows.ts';
import type { Actor } from '../../../shared/actor.ts';
import type { PlanIds } from '../../../shared/job/jobEvents.ts';
import type { Plan } from '../../../shared/job/plan.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { LoopStore } from '../../state/loopStore.ts';
import type { Store } from '../../state/store.ts';

/** Ids for a plan's rows: existing ids in a plan that the steward edited, new ones for the other rows. */
export function planIds(state: State, job: JobRow, plan: Plan, next: { phase(): number; feature(): number }): PlanIds {
  return {
    phases: plan.phases.map((phase) => ({
      id: phase.id !== undefined && state.phases.get(phase.id)?.job_id === job.id ? phase.id : next.phase(),
      features: phase.features.map((feature) =>
        feature.id !== undefined && state.features.get(feature.id)?.job_id === job.id ? feature.id : next.feature(),
      ),
    })),
  };
}

type PlanStore = Pick<LoopStore | Store, 'state' | 'commit' | 'nextIds'>;

/** Throws ILLEGAL_TRANSITION if a plan of the job was accepted meanwhile. */
export async function acceptPlan(
  { store, jobId }: { readonly store: PlanStore; readonly jobId: string },
  version: number,
  by: Actor,
): Promise<void> {
  const { state } = store;
  const job = need(state, 'jobs', jobId);
  const { plan, by: author } = need(state, 'plans', planId(job.id, version));
  const features = plan.phases.reduce((sum, phase) => sum + phase.features.length, 0);
  const phaseIds = [...(await store.nextIds('phases', plan.phases.length))];
  const featureIds = [...(await store.nextIds('features', features))];
  // A planner cannot take over rows by their ids, except that a feature which the job took from the backlog keeps its row.
  const taken = unplannedFeatures(state, job.id);
  const named = author === 'planner' ? withBacklogIds(withoutIds(plan), taken) : plan;
  const ids = planIds(state, job, named, {
    phase: () => phaseIds.shift() ?? 0,
    feature: () => featureIds.shift() ?? 0,
  });
  await store.commit({ type: 'plan_accepted', job_id: job.id, plan_version: version, ids, by, first: true });
}
