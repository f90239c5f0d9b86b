/** T4: whatever a provider does wrong, wherever in the answer, for every role. */
import { expect, test } from 'vitest';
import { KINDS } from '../support/provider/faultKinds.ts';
import { allCases, foundCases, randomCase, someCases } from '../support/provider/faultPlan.ts';
import { runCases } from '../support/provider/faultRun.ts';
import { openSubject } from '../support/provider/subject.ts';
import { amount, figure, LONG, SEED } from '../support/suite/proof.ts';

test(`T4: each kind of fault for each role, from seed ${SEED}`, async () => {
  const tally = await runCases(openSubject, LONG ? allCases(SEED) : someCases(SEED));
  figure({ method: 'T4', what: 'kinds of faults', value: KINDS.length, unit: '', aim: { atLeast: 25 } });
  figure({ method: 'T4', what: 'API fault cases', value: tally.cases, unit: '', aim: { atLeast: 1_200 } });
  figure({ method: 'T4', what: 'API fault cases: hangs', value: tally.hangs, unit: '', aim: { atMost: 0 } });
  const wrong = tally.findings.length;
  figure({ method: 'T4', what: 'API fault cases: promises broken', value: wrong, unit: '', aim: { atMost: 0 } });
  expect(tally.findings, `seed ${SEED}`).toEqual([]);
});

test(`T4: scripts of faults at random, from seed ${SEED}`, async () => {
  const cases = Array.from({ length: amount({ short: 8, long: 2_000 }) }, (_, index) => randomCase(SEED + index));
  const tally = await runCases(openSubject, cases);
  figure({ method: 'T4', what: 'random scripts of faults', value: tally.cases, unit: '', aim: { atLeast: 2_000 } });
  figure({ method: 'T4', what: 'requests in them', value: tally.requests, unit: '', aim: null });
  figure({
    method: 'T4',
    what: 'of them perhaps billed, listed, corrected to the bill',
    value: tally.unsettled,
    unit: '',
    aim: null,
  });
  const wrong = tally.findings.length;
  figure({ method: 'T4', what: 'random scripts: promises broken', value: wrong, unit: '', aim: { atMost: 0 } });
  expect(tally.findings, `seed ${SEED}`).toEqual([]);
});

test('T4: what earlier runs found', async () => {
  expect((await runCases(openSubject, foundCases())).findings).toEqual([]);
});
