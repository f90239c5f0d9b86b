/** Intervals, against values that textbooks give. */
import { expect, it } from 'vitest';
import { meanOf, wilson } from '../../../../src/core/eval/statistics.ts';

it.each([
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [5, 10, 0.2366, 0.7634],
  [1, 1, 0.2065, 1],
  [81, 263, 0.2553, 0.3662],
])('Wilson: %i of %i', (passed, runs, low, high) => {
  expect(wilson(passed, runs).low).toBeCloseTo(low, 4);
  expect(wilson(passed, runs).high).toBeCloseTo(high, 4);
});

it('knows nothing without a run', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  expect(meanOf([])).toBeNull();
  expect(meanOf([3])).toEqual({ mean: 3, interval: null });
});

it('gives the t interval of a mean', () => {
  const { mean, interval } = meanOf([4, 5, 6, 7, 8]) ?? { mean: 0, interval: null };
  expect(mean).toBe(6);
  expect(interval?.low).toBeCloseTo(4.037, 3);
  expect(interval?.high).toBeCloseTo(7.963, 3);
});

it('is never below zero', () => {
  expect(meanOf([0, 10])?.interval?.low).toBe(0);
});

it('is narrower with more values', () => {
  const width = (count: number): number => {
    const { interval } = meanOf(Array.from({ length: count }, (_, index) => 10 + (index % 2))) ?? { interval: null };
    return (interval?.high ?? 0) - (interval?.low ?? 0);
  };
  expect(width(40)).toBeLessThan(width(20));
});
