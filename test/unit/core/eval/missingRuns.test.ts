/** Which runs are missing, in which order, and what was spent. */
import { expect, it } from 'vitest';
import { allRuns, missingRuns, openRuns, runName, spentOn } from '../../../../src/core/eval/missingRuns.ts';
import { lost, resultOf, started } from '../../../support/eval/records.ts';

const RUNS = allRuns(['t1', 't2'], ['s1', 's2'], 2);

it('runs everything once before anything twice', () => {
  expect(RUNS.map(runName)).toEqual([
    't1 s1 1',
    't1 s2 1',
    't2 s1 1',
    't2 s2 1',
    't1 s1 2',
    't1 s2 2',
    't2 s1 2',
    't2 s2 2',
  ]);
});

it('a result is not repeated, a void one is', () => {
  const results = [
    resultOf(),
    resultOf({ settings: 's2', outcome: 'failed' }),
    resultOf({ task: 't2', outcome: 'void' }),
  ];
  expect(missingRuns(results, RUNS).map(runName)).toEqual(RUNS.map(runName).slice(2));
});

it('counts void and lost runs, and nothing of other evals', () => {
  const results = [resultOf(), resultOf({ outcome: 'void' }), resultOf({ settings: 'other' })];
  expect(spentOn(results, [lost('t1 s1 1'), lost('t1 other 1')], RUNS)).toBe(2_200_000);
});

it('a started run is open until it has a result or is lost', () => {
  const notes = [started('t1 s1 1', '/a'), started('t1 s2 1', '/b'), started('t2 s1 1', '/c'), lost('t2 s1 1', '/c')];
  expect(openRuns([resultOf()], notes).map(({ folder }) => folder)).toEqual(['/b']);
});

it('the second start of a void run is open until its own result', () => {
  const notes = [started('t1 s1 1', '/a'), started('t1 s1 1', '/b')];
  expect(openRuns([resultOf({ outcome: 'void' })], notes).map(({ folder }) => folder)).toEqual(['/b']);
  expect(openRuns([resultOf({ outcome: 'void' }), resultOf()], notes)).toEqual([]);
});
