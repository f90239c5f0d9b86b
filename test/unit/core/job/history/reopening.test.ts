/** What the worker of a feature that a review opened again is told. */
import { expect, it } from 'vitest';
import { whyOpen } from '../../../../../src/core/job/history/reopening.ts';
import { attemptRow, featureRow, jobRow, phaseRow, stateOf, verdict } from '../../../../support/state/builders.ts';

const names = ['Agenda', 'Export', 'Store'];
const features = names.map((name, index) => featureRow({ id: index + 1, name }));

function why(reopen: readonly string[]): string | null {
  const attempts = [
    ...features.map(({ id }) => attemptRow({ id, feature_id: id, status: 'succeeded' })),
    attemptRow({
      id: 9,
      feature_id: null,
      status: 'succeeded',
      verdict: verdict({ verdict: 'REJECTED', reason: 'Two are wrong', reopen: [...reopen] }),
    }),
  ];
  const state = stateOf({ jobs: [jobRow()], phases: [phaseRow()], features, attempts });
  const [agenda] = features;
  return agenda === undefined ? null : whyOpen(state, agenda, 2);
}

it('names the features that are opened again with it, because the feedback is about all of them', () => {
  expect(why(['Agenda', 'Export'])).toMatch(
    /^The reviewer rejected phase 1\. Its reason: Two are wrong\. Opened again with it, and worked on separately: "Export"\. Do only the points/,
  );
  expect(why(['Agenda'])).toBe('The reviewer rejected phase 1. Its reason: Two are wrong.');
});
