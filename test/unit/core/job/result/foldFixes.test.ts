/** Which commits become part of an earlier one, and what its message says then. */
import { describe, expect, test } from 'vitest';
import { foldedMessage } from '../../../../../src/core/job/result/commitMessage.ts';
import { featuresNamed, foldPlan } from '../../../../../src/core/job/result/foldFixes.ts';

const JOB = 'j1';
const FEATURES = new Map([
  [1, { created_by: 'plan', phase_id: 1 }],
  [2, { created_by: 'plan', phase_id: 1 }],
  [3, { created_by: 'plan', phase_id: 2 }],
  [8, { created_by: 'review', phase_id: 1 }],
  [9, { created_by: 'steward', phase_id: 2 }],
] as const);

const message = (feature: number, body = '', job = JOB): string =>
  `Subject ${feature}\n\n${body === '' ? '' : `${body}\n\n`}Autonomous-Job: ${job}\nAutonomous-Feature: ${feature}\n`;
const commit = (id: string, feature: number, ...paths: string[]) => ({ id, message: message(feature), paths });
const plan = (...commits: ReturnType<typeof commit>[]) => foldPlan(JOB, FEATURES, commits);

describe('a commit becomes part of', () => {
  test('the commit of the same feature', () => {
    const { folds } = plan(commit('a', 1, 'a'), commit('b', 2, 'b'), commit('c', 1, 'c'), commit('d', 1, 'd'));
    expect(folds).toEqual([
      { from: 'c', into: 'a' },
      { from: 'd', into: 'a' },
    ]);
  });

  test('the newest that changes a file of the fix, in whatever phase', () => {
    const { folds } = plan(commit('a', 1, 'x'), commit('b', 2, 'x'), commit('c', 3, 'y'), commit('d', 9, 'x', 'z'));
    expect(folds).toEqual([{ from: 'd', into: 'b' }]);
  });

  test('the only one of its phase, where the fix changes no file of a feature', () => {
    const { folds } = plan(commit('a', 1, 'x'), commit('b', 3, 'y'), commit('c', 9, 'z'));
    expect(folds).toEqual([{ from: 'c', into: 'b' }]);
  });

  test('the one that took in an earlier fix', () => {
    const { folds } = plan(commit('a', 1, 'x'), commit('b', 2, 'y'), commit('c', 8, 'x', 'z'), commit('d', 9, 'z'));
    expect(folds.map(({ into }) => into)).toEqual(['a', 'a']);
  });
});

test('a fix that could belong to several features stays, and is named', () => {
  expect(plan(commit('a', 1, 'x'), commit('b', 2, 'y'), commit('c', 8, 'z'))).toEqual({ folds: [], apart: ['c'] });
});

test('one commit per feature is left as it is', () => {
  expect(plan(commit('a', 1, 'x'), commit('b', 2, 'x'))).toEqual({ folds: [], apart: [] });
});

test('only trailers of the job name a feature', () => {
  expect(featuresNamed(message(1), JOB)).toEqual([1]);
  expect(featuresNamed(message(1, '', 'other'), JOB)).toEqual([]);
  expect(featuresNamed(`Subject\n\nAutonomous-Job: ${JOB}\nAutonomous-Feature: 1\n\nThe report.\n`, JOB)).toEqual([]);
});

test('the message has the first subject, the newest report on each feature, and each trailer once', () => {
  const by = 'Co-authored-by: Autonomous <autonomous@localhost>\n';
  const messages = [
    message(1, 'Made it; the test passes now.') + by,
    message(8, 'Corrected a typo.') + by,
    message(1, 'Made it, and it returns two.\n\nDecided: no cache.'),
    message(1),
    message(8, 'Corrected it.'),
  ];
  expect(foldedMessage(messages)).toBe(
    `Subject 1\n\nMade it, and it returns two.\n\nDecided: no cache.\n\nCorrected it.\n\nAutonomous-Job: j1\nAutonomous-Feature: 1\nAutonomous-Feature: 8\n${by}`,
  );
});
