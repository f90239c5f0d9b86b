/** What reviewer and summarizer are given: everything that is known of the phase, and of the review before. */
import { describe, expect, test } from 'vitest';
import { approves, attempt, rejects, report, scenarioOf, write, writes } from '../../../support/demo/briefs.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

const noted = { tool: 'note', input: { scope: 'category', content: 'Arrays, not lists.' } };
const reported = (summary: string) => ({ tool: 'report', input: { outcome: 'done', summary, question: '' } });

const TWO_ROUNDS = scenarioOf([
  { features: [{ name: 'Zero' }] },
  {
    features: [
      {
        name: 'A',
        attempts: [
          attempt(write('A.txt', 'one\n'), noted, reported('A is one, because one is first.')),
          attempt(write('A.txt', 'two\n'), write('more.txt', 'more\n'), reported('A is two now.')),
        ],
      },
      { name: 'B', after: ['A'] },
    ],
    reviews: [rejects('Say two.', ['A']), approves],
  },
]);

describe('a reviewer', () => {
  test('gets reports as claims, notes and earlier summaries; in a second review what changed since the first', async () => {
    await using world = await LoopWorld.open({ scenario: TWO_ROUNDS });
    await world.run();
    const [, first, second] = [0, 1, 2].map((nth) => world.opening('reviewer', nth));
    expect(first).toMatch(/# Completed phases\n## Phase 1: Phase 1\nPhase 1 is done\./);
    expect(first).toMatch(/claims, not checked by the engine\n## A, attempt 1: succeeded\n<report .*>\nA is one,/);
    expect(first).toContain('Arrays, not lists.');
    expect(first).not.toContain('The review before this one');

    expect(second).toMatch(/## A, attempt 2: succeeded\n<report .*>\nA is two now\./);
    expect(second).toMatch(/## A, attempt 1: succeeded, then reopened\n<report .*>\nA is one, because one is first\./);
    const before =
      /# The review before this one\nREJECTED at ([0-9a-f]{12}): It does not hold\.\n\nFeedback:\nSay two\./;
    const [reviewed] = [...world.state.attempts.values()].filter(({ verdict }) => verdict?.verdict === 'REJECTED');
    expect(before.exec(second ?? '')?.[1]).toBe(reviewed?.base_commit.slice(0, 12));
    const since = second?.slice(second.indexOf('# Changes since that review'), second.indexOf('# Evidence'));
    expect(since).toContain('more.txt');
    expect(since).not.toContain('B.txt');
    // The whole of the phase is there as well.
    expect(second?.slice(second.indexOf('# Diff'))).toContain('B.txt');
  });

  test('of a feature gets the rejection before and what changed since', async () => {
    const attempts = [writes('A.txt', 'one\n'), attempt(write('A.txt', 'two\n'), report('done'))];
    const scenario = scenarioOf([{ features: [{ name: 'A', attempts, reviews: [rejects('Say two.'), approves] }] }]);
    await using world = await LoopWorld.open({ scenario });
    await world.run({ reviewEachFeature: true });
    const second = world.opening('reviewer', 1);
    expect(second).toContain('Judge the feature "A" alone');
    expect(second).toMatch(/# The review before this one\nREJECTED at .*\n\nFeedback:\nSay two\./);
    expect(second.slice(second.indexOf('# Changes since that review'))).toContain('A.txt');
  });
});

test('the summary is made once, after the review: with reports, notes, evidence and verdict', async () => {
  await using world = await LoopWorld.open({ scenario: TWO_ROUNDS });
  await world.run();
  expect(world.sent('summarizer')).toHaveLength(2);
  expect(world.happened('phase_approved')).toHaveLength(2);
  const told = world.opening('summarizer', 1);
  expect(told).toMatch(/## A, attempt 2: succeeded\n<report .*>\nA is two now\./);
  expect(told).toContain('Arrays, not lists.');
  expect(told).toMatch(/# Evidence: commands that the engine ran\n- `ls`: exit code 0/);
  expect(told).toContain('# Verdict of the reviewer\nAPPROVED: It holds.');
});
