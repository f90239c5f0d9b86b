/** What the steward reads before a merge. */
import { expect, test } from 'vitest';
import { mergeGateText } from '../../../../../src/core/job/gate/mergeGate.ts';
import { promptEvidence } from '../../../../support/session/promptRows.ts';
import { featureRow, jobRow, phaseRow, stateOf } from '../../../../support/state/builders.ts';

const NO_FACTS = { stat: '', reasons: [], ignored: '' };

test('many changed files do not hide the rest', () => {
  const files = Array.from({ length: 300 }, (_, index) => ` file${index}.txt | 1 +`);
  const stat = [...files, ' 300 files changed, 300 insertions(+)\n'].join('\n');
  const job = jobRow({ result_checks: { commit: 'h', evidence: [{ ...promptEvidence, command: 'ls' }], base: [] } });
  const state = stateOf({ jobs: [job], phases: [phaseRow()], features: [featureRow()] });
  const lines = mergeGateText(state, job, { ...NO_FACTS, stat, ignored: 'ignored.log' }).split('\n');
  expect(lines[0]).toBe(' file0.txt | 1 +');
  expect(lines).toContain(' … 200 more lines');
  expect(lines).toContain(' 300 files changed, 300 insertions(+)');
  expect(lines.length).toBeLessThan(125);
  expect(lines).toContain('ignored.log');
  expect(lines.some((line) => line.startsWith('- ls: passed'))).toBe(true);
});

test('the commands of an older version are not called unverified', () => {
  const job = jobRow();
  expect(mergeGateText(stateOf({ jobs: [job] }), job, NO_FACTS)).not.toContain('Verify commands');
});

test('the summary of a phase is whole, after all that is short', () => {
  const end = 'Missing: the migration of old carts.';
  const summary = `src/cart.ts ${'holds the totals of a cart. '.repeat(40)}\n\n| file | what |\n${end}`;
  const job = jobRow();
  const phases = [
    phaseRow({ status: 'completed', summary }),
    phaseRow({ id: 2, number: 2, title: 'Later', status: 'completed' }),
  ];
  const text = mergeGateText(stateOf({ jobs: [job], phases }), job, { ...NO_FACTS, ignored: 'ignored.log' });
  const [first = ''] = summary.split('\n');
  expect(text.slice(text.indexOf('ignored.log'))).toBe(
    `ignored.log\n\nPhases:\n- 1. ${phases[0]?.title}: completed\n  ${first.trim()}\n\n  | file | what |\n  ${end}\n- 2. Later: completed`,
  );
});
