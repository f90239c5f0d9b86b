/** What a worker is shown of the plan. */
import { expect, it } from 'vitest';
import { planLines, planProgress } from '../../../../../src/core/job/plan/planLines.ts';
import { featureRow, jobRow, phaseRow, stateOf } from '../../../../support/state/builders.ts';

const own = featureRow({ id: 1, name: 'Parse' });
type Features = readonly ReturnType<typeof featureRow>[];
const state = (others: Features) => stateOf({ jobs: [jobRow({})], phases: [phaseRow({})], features: [own, ...others] });
const lines = (others: Features) => planLines(state(others), jobRow({}));
const progress = (others: Features) => planProgress(state(others), jobRow({}), own);

it('names each feature with its number, whatever its state', () => {
  const others = (['pending', 'completed'] as const).map((status) => [featureRow({ id: 2, name: 'Print', status })]);
  for (const one of others) expect(lines(one).slice(1)).toEqual(['- 1: Parse', '- 2: Print']);
});

it('states apart how far the features are, by their numbers', () => {
  const states = ['completed', 'completed', 'failed', 'completed', 'pending'] as const;
  const others = states.map((status, index) => featureRow({ id: 2 + index, status }));
  expect(progress(others)).toBe('Done: 2-3, 5. Failed: 4. The others: to do.');
  expect(progress(others.slice(-1))).toBe('');
});

it('names the features that are in other lanes, which the tree does not have yet', () => {
  const states = ['completed', 'in_progress', 'in_progress', 'pending'] as const;
  const others = states.map((status, index) => featureRow({ id: 2 + index, status }));
  const now = 'Worked on by others at the same time, and not in your tree yet: 3-4.';
  expect(progress(others)).toBe(`Done: 2. ${now} The others: to do.`);
  expect(progress(others.slice(1, 2))).toContain('at the same time');
});

it('is empty if the plan has one feature, which is described apart', () => {
  expect(lines([])).toEqual([]);
});
