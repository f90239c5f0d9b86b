/** What a worker is shown of the plan. */
import { expect, it } from 'vitest';
import { planLines, planProgress } from '../../../../../src/core/job/plan/planLines.ts';
import { attemptRow, featureRow, jobOptions, jobRow, phaseRow, stateOf } from '../../../../support/state/builders.ts';

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
  const now = 'In work by others at the same time, or merged since: 3-4. What they change now is not in your tree.';
  expect(progress(others)).toBe(`Done: 2. ${now} The others: to do.`);
  expect(progress(others.slice(1, 2))).toMatch(/not in your tree\.$/);
});

it('names what was merged after the tree of an open attempt, which does not have it', () => {
  const at = (minute: number): string => `2026-11-02T12:${minute}:00.000Z`;
  const done = (id: number, minute: number) => featureRow({ id, status: 'completed', completed_at: at(minute) });
  const attempts = [attemptRow({ id: 1, feature_id: 1, status: 'running', started_at: at(20) })];
  const rows = { jobs: [jobRow({})], phases: [phaseRow({})], features: [own, done(2, 10), done(3, 30)], attempts };
  expect(planProgress(stateOf(rows), jobRow({}), own)).toBe(
    'Done: 2. In work by others at the same time, or merged since: 3. What they change now is not in your tree.',
  );
});

it('states that features are worked on at the same time, in a job with lanes', () => {
  const others = [featureRow({ id: 2, name: 'Print' })];
  const job = jobRow({ options: jobOptions({ lanes: 3 }) });
  expect(planLines(state(others), job)[0]).toContain('at the same time');
  expect(lines(others)[0]).toMatch(/^Phase 1/);
});

it('is empty if the plan has one feature, which is described apart', () => {
  expect(lines([])).toEqual([]);
});
