import { expect, it } from 'vitest';
import { jobTrees } from '../../../../../src/core/job/view/jobTree.ts';
import { jobPhases, phaseFeatures } from '../../../../../src/core/state/rows.ts';
import { applyChanges } from '../../../../../src/shared/workspace/state.ts';
import { featureRow, JOB_ID, jobRow, phaseRow, stateOf } from '../../../../support/state/builders.ts';

it('has what the rows have, in their order, after each event', () => {
  const state = stateOf({
    jobs: [jobRow(), jobRow({ id: 'job-2' })],
    phases: [phaseRow({ id: 2, number: 2 }), phaseRow({ id: 1 }), phaseRow({ id: 3, job_id: 'job-2' })],
    features: [5, 4, 3, 2, 1].map((id) => featureRow({ id, phase_id: 1 + (id % 3), position: id % 2 })),
  });
  const treeOf = jobTrees();
  const expectSame = (): void => {
    const tree = treeOf(state);
    for (const job of [JOB_ID, 'job-2', 'other']) expect(tree.phasesOf(job)).toEqual(jobPhases(state, job));
    for (const phase of [1, 2, 3, 4]) expect(tree.featuresOf(phase)).toEqual(phaseFeatures(state, phase));
  };
  expectSame();
  expect(treeOf(state)).toBe(treeOf(state));
  applyChanges(state, [
    { table: 'features', put: featureRow({ id: 6, phase_id: 1, position: 0 }) },
    { table: 'meta', put: { ...state.meta, last_seq: 1 } },
  ]);
  expectSame();
});
