/** Money of calls as every surface shows it: settled, and apart from that reserved and unsettled. */
import type { SpendRow, Spent } from '../../../shared/money.ts';
import { countedMicroUsd } from '../../state/rows.ts';

/** Sums in micro-USD, by the status of the calls. */
export interface SpentSums {
  settled: number;
  reserved: number;
  unsettled: number;
}

export const noSums = (): SpentSums => ({ settled: 0, reserved: 0, unsettled: 0 });

/** Adds a call to the sums; `sign` -1 takes it out again. */
export function addSpend(sums: SpentSums, row: SpendRow, sign: 1 | -1 = 1): void {
  if (row.status !== 'released') sums[row.status] += sign * countedMicroUsd(row);
}

export function spentOf(sums: Readonly<SpentSums> = noSums()): Spent {
  const { settled, reserved, unsettled } = sums;
  return { costUsd: settled / 1e6, reservedUsd: reserved / 1e6, unsettledUsd: unsettled / 1e6 };
}

export function spentBy(rows: Iterable<SpendRow>): Spent {
  const sums = noSums();
  for (const row of rows) addSpend(sums, row);
  return spentOf(sums);
}

/** Whether both are the same amounts. */
export const isSameSpent = (a: Spent, b: Spent): boolean =>
  a.costUsd === b.costUsd && a.reservedUsd === b.reservedUsd && a.unsettledUsd === b.unsettledUsd;

/** Whether both the settled and the held amounts are zero. */
export const isNothing = (spent: Spent): boolean => isSameSpent(spent, spentOf());

/** `, up to $0.3485 reserved`. Empty if no amount is held. */
export function heldText({ reservedUsd, unsettledUsd }: Spent, dollars: (usd: number) => string): string {
  const held = [
    [reservedUsd, 'reserved'],
    [unsettledUsd, 'unsettled'],
  ] as const;
  return held.map(([usd, what]) => (usd === 0 ? '' : `, up to ${dollars(usd)} ${what}`)).join('');
}

/** `$0.0065, up to $0.3485 reserved`: the two amounts are never added up. */
export const spentText = (spent: Spent, dollars: (usd: number) => string): string =>
  dollars(spent.costUsd) + heldText(spent, dollars);
