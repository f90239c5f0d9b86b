/** 200 random budgets with an agent behind the model server: whether any is overshot, and whether the ledger is the bill. */
import { type BudgetRun, spendUnder } from '../test/support/agentBudgets.ts';
import { median, round, show } from './table.ts';

const BUDGETS = 200;
const AT_ONCE = 2;

const runs: BudgetRun[] = [];
const began = performance.now();
for (let seed = 1; seed <= BUDGETS; seed += AT_ONCE) {
  runs.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => spendUnder(seed + at)))));
}
const seconds = (performance.now() - began) / 1000;

const count = (is: (run: BudgetRun) => boolean): number => runs.filter(is).length;
const sum = (of: (run: BudgetRun) => number): number => runs.reduce((all, run) => all + of(run), 0);

show(
  `${BUDGETS} budgets from $0.003 to $1, six subagents each, in ${round(seconds)} s`,
  ['what', 'measured', 'wanted'],
  [
    ['overshoots, by what is spent and held', count((run) => run.heldMicroUsd > run.limitMicroUsd), 0],
    ['overshoots, by the bill', count((run) => run.billMicroUsd > run.limitMicroUsd), 0],
    ['ledgers that differ from the bill', count((run) => run.ledgerMicroUsd !== run.billMicroUsd), 0],
    ['answers of another kind than 200 and 403', sum((run) => run.strange.length), 0],
    ['calls answered', sum((run) => run.answered), '-'],
    ['calls refused for the limit', sum((run) => run.refused), '-'],
    [
      'of a limit that refused, used (median, %)',
      round(
        median(runs.filter(({ refused }) => refused > 0).map((run) => (100 * run.billMicroUsd) / run.limitMicroUsd)),
      ),
      '-',
    ],
  ],
);
