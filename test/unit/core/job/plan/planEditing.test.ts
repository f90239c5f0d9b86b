import { describe, expect, it } from 'vitest';
import { begunFeatures, editablePlan, samePlan } from '../../../../../src/core/job/plan/planEditing.ts';
import { featureRow, jobRow, phaseRow, planOf, START, stateOf } from '../../../../support/state/builders.ts';

const plan = planOf({ Core: ['a', 'b'] });
const plans = [{ id: 'job-1#1', job_id: 'job-1', version: 1, plan, by: 'planner', at: START } as const];
const phases = [phaseRow({ id: 7 })];
const features = [
  featureRow({ id: 2, phase_id: 7, position: 1, name: 'b', depends_on: [3] }),
  featureRow({ id: 3, phase_id: 7, position: 0, name: 'a', status: 'completed' }),
];

describe('the plan to edit', () => {
  it('is none before there is one', () => {
    const job = jobRow({ plan_version: 0 });
    expect(editablePlan(stateOf({ jobs: [job] }), job)).toBeNull();
  });

  it('is the newest version while it waits to be accepted', () => {
    const job = jobRow({ plan_accepted: false });
    expect(editablePlan(stateOf({ jobs: [job], plans }), job)).toEqual(plan);
  });

  it('names the rows that an accepted plan became, in their order', () => {
    const job = jobRow();
    const state = stateOf({ jobs: [job], plans, phases, features });
    const [phase] = editablePlan(state, job)?.phases ?? [];
    expect(phase?.id).toBe(7);
    expect(phase?.features.map(({ id, name, depends_on }) => [id, name, depends_on])).toEqual([
      [3, 'a', []],
      [2, 'b', ['a']],
    ]);
    expect([...begunFeatures(state, job.id)]).toEqual([[3, 'completed']]);
  });

  it('is the same when only the order of fields differs', () => {
    const { title, phases: parts } = plan;
    expect(samePlan(plan, { phases: parts, title })).toBe(true);
    expect(samePlan(plan, { ...plan, title: 'x' })).toBe(false);
  });
});
