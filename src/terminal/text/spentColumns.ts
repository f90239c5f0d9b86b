/** Money in tables: one column for settled amounts, and separate ones for held amounts. */
import type { Spent } from '../../shared/money.ts';
import { dollars } from './format.ts';
import type { Column } from './table.ts';

interface SpentColumns {
  readonly columns: readonly Column[];
  /** `settled`: the text for the settled part, if it is not an amount. */
  readonly cells: (spent: Spent, settled?: string) => string[];
}

/** Reserved and unsettled money have a column each if a row has some. `optional` as in `Column`. */
export function spentColumns(title: string, rows: readonly Spent[], optional = false): SpentColumns {
  const held = [
    ['RESERVED', (spent: Spent) => spent.reservedUsd],
    ['UNSETTLED', (spent: Spent) => spent.unsettledUsd],
  ] as const;
  const shown = held.filter(([, amount]) => rows.some((row) => amount(row) > 0));
  const column = (name: string): Column => ({ title: name, align: 'right', ...(optional ? { optional } : {}) });
  return {
    columns: [column(title), ...shown.map(([name]) => column(name))],
    cells: (spent, settled = dollars(spent.costUsd)) => [
      settled,
      ...shown.map(([, amount]) => (amount(spent) === 0 ? '' : `≤${dollars(amount(spent))}`)),
    ],
  };
}
