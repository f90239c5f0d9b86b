/** The plan of a job that is filed again with an addition to its brief: its planner changes that plan. */
import type { JobRow, PlanRow } from '../../../shared/job/rows.ts';
import type { EventOf } from '../../../shared/workspace/events.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { planId } from '../../state/planId.ts';
import { withoutIds } from './planEditing.ts';

type Amends = EventOf<'brief_submitted'>['job']['amends'];

/** Returns the new job at its start. Version 1 of its plan is the newest plan of the job that it amends, which the addition refuses. */
export function withEarlierPlan(state: State, job: JobRow, amends: Amends): Change[] {
  const before = state.jobs.get(amends?.job_id ?? '');
  const known = state.plans.get(planId(before?.id ?? '', before?.plan_version ?? 0));
  if (amends === undefined || known === undefined || before?.project_id !== job.project_id)
    return [{ table: 'jobs', put: job }];
  const added = `The brief was amended after this plan was handed in. Added: ${amends.addition}`;
  const plan_feedback = before.plan_feedback === null ? added : `${before.plan_feedback}\n\n${added}`;
  const row: PlanRow = { ...known, id: planId(job.id, 1), job_id: job.id, version: 1, plan: withoutIds(known.plan) };
  return [
    { table: 'jobs', put: { ...job, plan_version: 1, plan_feedback } },
    { table: 'plans', put: row },
  ];
}
