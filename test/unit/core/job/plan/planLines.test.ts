/** What a worker is shown of the plan. */
import { expect, it } from 'vitest';
import { planLines } from '../../../../../src/core/job/plan/planLines.ts';
import { featureRow, jobRow, phaseRow, stateOf } from '../../../../support/state/builders.ts';

const own = featureRow({ id: 1, name: 'Parse' });
const lines = (others: readonly ReturnType<typeof featureRow>[]) =>
  planLines(stateOf({ jobs: [jobRow({})], phases: [phaseRow({})], features: [own, ...others] }), jobRow({}), own);

it('marks the own feature among the others', () => {
  expect(lines([featureRow({ id: 2, name: 'Print', status: 'completed' })]).slice(1)).toEqual([
    '- Parse: yours',
    '- Print: done',
  ]);
});

it('is empty if the plan has one feature, which is described apart', () => {
  expect(lines([])).toEqual([]);
});
