/** What a worker reads of a rejection: who rejected the work, and why. */
import { expect, test } from 'vitest';
import { approves, rejects, scenarioOf, writes } from '../../../support/demo/briefs.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

const attempts = ['one\n', 'two\n', 'three\n'].map((content) => writes('A.txt', content));
const features = [{ name: 'A', attempts }];
const FIX = 'This feature is what has to change.';

test('a reviewer that names the feature is named, with its reason', async () => {
  const scenario = scenarioOf([{ features, reviews: [rejects('Say two.', ['A']), approves] }]);
  await using world = await LoopWorld.open({ scenario });
  await world.run({});
  const text = world.opening('worker', 1, 'A');
  expect(text).toContain('Attempt 1 at this feature was accepted. Then the feature was opened again.');
  expect(text).toContain(
    '# Why it is open\nThe reviewer rejected phase 1. Its reason: It does not hold.\n\n# Put this right\nSay two.',
  );
});

test('a reviewer that names no feature is named in the opening of the fix', async () => {
  const scenario = scenarioOf([{ features, reviews: [rejects('Say two.'), approves] }]);
  await using world = await LoopWorld.open({ scenario });
  await world.run({});
  const text = world.opening('worker', 0, 'Fix: Say two');
  expect(text).toContain(`The reviewer rejected phase 1. Its reason: It does not hold. ${FIX}`);
  expect(world.opening('worker', 0, 'A')).not.toContain('# Why it is open');
});

test('the steward is named who rejects a phase that the reviewer approved, and who refuses the result', async () => {
  await using world = await LoopWorld.open({ scenario: scenarioOf([{ features }]) });
  await world.submit({ gates: ['phase', 'merge'] });
  const phase = await world.reject('phase', 'A licence is missing.');
  expect(phase.detail).not.toContain('Rejected before');
  await world.until('the phase goes again', () => world.happened('phase_rejected').length === 1);
  const again = await world.approve('phase');
  expect(again.detail).toContain(`Rejected before:\n- the steward (question ${phase.id}): A licence is missing.\n`);
  expect(again.detail).toMatch(/If you approve: this was the last phase.* You are asked again before the merge\.$/);
  const result = await world.reject('merge', 'The licence is the wrong one.');
  await world.until('the result goes again', () => world.happened('merge_refused').length === 1);
  await world.approve('phase');
  await world.asked('merge');
  const first = world.opening('worker', 0, 'Fix: A licence is missing');
  expect(first).toMatch(
    new RegExp(
      `The steward rejected phase 1 \\(question ${phase.id}\\)\\. The reviewer had approved it\\. Its reason: .*`,
    ),
  );
  expect(first).toContain(FIX);
  const second = world.opening('worker', 0, 'Fix: The licence is the wrong one');
  expect(second).toContain(`# Why it is open\nThe steward refused the result (question ${result.id}). ${FIX}`);
});

test('the steward is named who opens an accepted feature again', async () => {
  await using world = await LoopWorld.open({ scenario: scenarioOf([{ features }]) });
  await world.submit({ gates: ['merge'] });
  await world.asked('merge');
  await world.owner.request('retryFeature', { featureId: world.feature('A').id, feedback: 'Shorter.' });
  await world.until('it is tried again', () => world.attempts('A').at(1)?.status === 'succeeded');
  expect(world.opening('worker', 1, 'A')).toContain(
    '# Why it is open\nThe steward opened this feature again.\n\n# Put this right\nShorter.',
  );
});
