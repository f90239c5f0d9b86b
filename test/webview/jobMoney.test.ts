/** What a job's row says of its money: the same three amounts as the question at a limit. */
import { expect, it } from 'vitest';
import { sampleView } from '../../webview-ui/dev/sample.ts';
import { money, reservedUsd } from '../../webview-ui/src/jobs/jobFacts.ts';

const [sample] = sampleView(20).jobs;
const job = { ...sample!, costUsd: 0.39, openUsd: 0.37, budgetUsd: 0.48 };

it('keeps what is in flight apart from what was not heard of', () => {
  expect(money(job)).toBe('$0.02 of $0.48');
  expect(reservedUsd({ ...job, unsettledUsd: 0 })).toBe(0.37);
  expect(reservedUsd({ ...job, unsettledUsd: 0.37 })).toBe(0);
  expect(reservedUsd({ ...job, openUsd: 0.3, unsettledUsd: 0.1 })).toBe(0.2);
});
