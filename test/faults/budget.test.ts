/** T5: no limit of money is overshot, whoever spends at once, dies, or sets the clock back. */
import { expect, test } from 'vitest';
import { spendDays } from '../support/budget/budgetDays.ts';
import { type HttpTally, spendOverHttp } from '../support/budget/budgetHttp.ts';
import { openTill } from '../support/budget/subject.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';

test(`T5: budget days on the real admission, from seed ${SEED}`, async () => {
  const tally = await spendDays(openTill, amount({ short: 800, long: 100_000 }), SEED);
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
  figure({
    method: 'T5',
    what: 'calls in them whose answer was shortened',
    value: tally.shortened,
    unit: '',
    aim: null,
  });
  figure({ method: 'T5', what: 'deaths of the owner in them', value: tally.crashes, unit: '', aim: null });
  const wrong = tally.faults.length;
  figure({ method: 'T5', what: 'simulated budget days: promises broken', value: wrong, unit: '', aim: { atMost: 0 } });
  expect(tally.faults.slice(0, 20)).toEqual([]);
  expect(Math.min(tally.calls, tally.refused, tally.crashes)).toBeGreaterThan(tally.days / 10);
  expect(tally.shortened).toBeGreaterThan(tally.days / 100);
});

test(`T5: everyone at once over real HTTP, from seed ${SEED}`, async () => {
  const tallies: HttpTally[] = [];
  for (let left = amount({ short: 3, long: 300 }); left > 0; left--) tallies.push(await spendOverHttp(SEED + left));
  const sum = (of: (tally: HttpTally) => number): number => tallies.reduce((all, tally) => all + of(tally), 0);
  const overshoots = sum((tally) => tally.overshoots);
  const faults = tallies.flatMap((tally) => tally.faults);
  figure({ method: 'T5', what: 'budgets spent in parallel over HTTP', value: tallies.length, unit: '', aim: null });
  figure({ method: 'T5', what: 'budgets over HTTP: overshoots', value: overshoots, unit: '', aim: { atMost: 0 } });
  figure({
    method: 'T5',
    what: 'budgets over HTTP: answered',
    value: sum(({ answered }) => answered),
    unit: '',
    aim: null,
  });
  figure({
    method: 'T5',
    what: 'budgets over HTTP: refused',
    value: sum(({ refused }) => refused),
    unit: '',
    aim: null,
  });
  figure({
    method: 'T5',
    what: 'budgets over HTTP: promises broken',
    value: faults.length,
    unit: '',
    aim: { atMost: 0 },
  });
  expect(faults.slice(0, 20)).toEqual([]);
  expect(sum(({ refused }) => refused)).toBeGreaterThan(0);
  expect(sum(({ answered }) => answered)).toBeGreaterThan(tallies.length);
});
