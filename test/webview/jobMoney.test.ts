/** What a job's row says of its money: the same three amounts as the question at a limit. */
import { expect, it } from 'vitest';
import { sampleView } from '../../webview-ui/dev/sample.ts';
import { money } from '../../webview-ui/src/job/jobFacts.ts';
import { heldTexts } from '../../webview-ui/src/ui/text/spent.ts';

const [sample] = sampleView(20).jobs;

it('keeps what is in flight apart from what was perhaps billed, and both from what is settled', () => {
  expect(money({ ...sample!, costUsd: 0.02, reservedUsd: 0.37, budgetUsd: 0.48 })).toBe('$0.02 of $0.48');
  expect(heldTexts({ reservedUsd: 0.37, unsettledUsd: 0 })).toEqual(['$0.37 reserved']);
  expect(heldTexts({ reservedUsd: 0.2, unsettledUsd: 0.1 })).toEqual(['$0.20 reserved', '$0.10 unsettled']);
  expect(heldTexts({ reservedUsd: 0, unsettledUsd: 0 })).toEqual([]);
});
