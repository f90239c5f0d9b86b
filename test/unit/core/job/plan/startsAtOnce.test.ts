/** How many features of a phase the lanes can start at once, which a person learns before the plan is approved. */
import { expect, it } from 'vitest';
import { startsAtOnce, startsText } from '../../../../../src/core/job/plan/startsAtOnce.ts';
import { planFeature } from '../../../../support/state/builders.ts';

const free = ['a', 'b', 'c'].map((name) => planFeature({ name }));

it('is stated only if dependencies or shared paths leave lanes without work', () => {
  expect(startsAtOnce({ features: free }, 3)).toBeNull();
  expect(startsAtOnce({ features: free }, 8)).toBeNull();
  const chained = [
    ...free.slice(0, 1),
    planFeature({ name: 'b', depends_on: ['a'] }),
    planFeature({ name: 'c', depends_on: ['b'] }),
  ];
  expect(startsAtOnce({ features: chained }, 3)).toBe(1);
  expect(startsAtOnce({ features: chained }, 1)).toBeNull();
  const shared = ['a', 'b', 'c'].map((name) => planFeature({ name, paths: ['README.md', `src/${name}.ts`] }));
  expect(startsAtOnce({ features: shared }, 2)).toBe(1);
  expect(startsText({ features: shared }, 3)).toBe(
    'With 3 lanes, 1 of its 3 features can start at once: the others depend on features of the phase, or change the same files.',
  );
});

it('counts a dependency of an earlier phase as met', () => {
  const features = free.map((one) => ({ ...one, depends_on: ['of an earlier phase'] }));
  expect(startsAtOnce({ features }, 3)).toBeNull();
});
