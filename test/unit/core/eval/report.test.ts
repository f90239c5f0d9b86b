/** The figures of an eval, and its page. */
import { expect, it } from 'vitest';
import { allRuns } from '../../../../src/core/eval/missingRuns.ts';
import { evalPage } from '../../../../src/core/eval/page.ts';
import { evalReport, type ReportInput } from '../../../../src/core/eval/report.ts';
import { resultOf } from '../../../support/eval/records.ts';

const input = (parts: Partial<ReportInput> = {}): ReportInput => ({
  tasks: [{ id: 't1', title: '<b>One</b>', category: 'src' }],
  dropped: [{ name: 'abc & Two', reason: 'it changes no test' }],
  variants: [
    { name: 'first', settings: 's1' },
    { name: 'second', settings: 's2' },
  ],
  runs: allRuns(['t1'], ['s1', 's2'], 2),
  results: [
    resultOf({ microUsd: 100_000 }),
    resultOf({ repetition: 2, outcome: 'failed', microUsd: 300_000, turns: 7, release: '1.0.0' }),
    resultOf({ settings: 's2', outcome: 'void', microUsd: 50_000 }),
    resultOf({ settings: 'another eval' }),
  ],
  budgetMicroUsd: 5_000_000,
  spentMicroUsd: 450_000,
  stopped: 'the budget is used up',
  release: '1.2.3',
  ...parts,
});

it('counts passed runs, and the cost of failed ones for each passed one', () => {
  const { variants, tasks, runs, missing, spentUsd, otherReleases } = evalReport(input());
  expect(variants[0]).toMatchObject({ runs: 2, missing: 0, passed: 1, rate: 0.5, costPerPassedUsd: 0.4 });
  expect(variants[0]?.turns?.mean).toBe(6);
  expect(variants[0]?.worker).toEqual({ executor: 'builtin', model: 'claude-sonnet-5-5', provider: 'anthropic' });
  expect(variants[1]).toMatchObject({
    runs: 0,
    missing: 2,
    rate: null,
    costUsd: null,
    costPerPassedUsd: null,
    worker: null,
  });
  expect(tasks[0]?.cells).toEqual([
    { runs: 2, passed: 1, costUsd: 0.2, reason: 'a test failed' },
    { runs: 0, passed: 0, costUsd: null, reason: '' },
  ]);
  expect({ runs, missing, spentUsd, otherReleases }).toEqual({
    runs: 4,
    missing: 2,
    spentUsd: 0.45,
    otherReleases: ['1.0.0'],
  });
});

it('a cost without a price is marked', () => {
  const report = evalReport(input({ results: [resultOf({ unpricedCalls: 1 })] }));
  expect(report.variants.map(({ unpriced }) => unpriced)).toEqual([true, false]);
  expect(evalPage(report)).toContain('Some calls have no price');
});

it('the page needs nothing from outside, and shows text as text', () => {
  const page = evalPage(evalReport(input()));
  expect(page).toContain('&lt;b&gt;One&lt;/b&gt;');
  expect(page).toContain('abc &amp; Two');
  expect(page).toContain('Stopped: the budget is used up.');
  expect(page).toContain('2 missing');
  expect(page).not.toContain('<b>One');
  expect(page).not.toMatch(/<script|<link|<img|https?:|url\(/);
  expect(page).toContain("default-src 'none'");
});
