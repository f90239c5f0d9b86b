/** T5: no limit of money is overshot, whoever spends at once, dies, or sets the clock back. */
import { expect, test } from 'vitest';
import { spendDays } from '../support/budget/budgetDays.ts';
import { openTill } from '../support/budget/subject.ts';
import { amount, figure, SEED } from '../support/proof.ts';

test(`T5: budget days on the real admission, from seed ${SEED}`, async () => {
  const tally = await spendDays(openTill, amount({ short: 3_000, long: 100_000 }), SEED);
  figure({ method: 'T5', what: 'simulated budget days', value: tally.days, unit: '', aim: { atLeast: 100_000 } });
  figure({
    method: 'T5',
    what: 'simulated budget days: overshoots',
    value: tally.overshoots,
    unit: '',
    aim: { atMost: 0 },
  });
  figure({ method: 'T5', what: 'calls that left in them', value: tally.calls, unit: '', aim: null });
  figure({ method: 'T5', what: 'calls refused in them', value: tally.refused, unit: '', aim: null });
  figure({ method: 'T5', what: 'deaths of the owner in them', value: tally.crashes, unit: '', aim: null });
  const wrong = tally.faults.length;
  figure({ method: 'T5', what: 'simulated budget days: promises broken', value: wrong, unit: '', aim: { atMost: 0 } });
  expect(tally.faults.slice(0, 20)).toEqual([]);
  expect(Math.min(tally.calls, tally.refused, tally.crashes)).toBeGreaterThan(tally.days / 10);
});
