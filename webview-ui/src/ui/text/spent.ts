/** Formats money that is reserved or unsettled. */
import type { Spent } from '../../../../src/shared/money.ts';
import { t } from '../../store/l10n.ts';
import { usd } from './format.ts';

/** A text for each amount that there is: reserved for calls in flight, and unsettled. */
export function heldTexts({ reservedUsd, unsettledUsd }: Pick<Spent, 'reservedUsd' | 'unsettledUsd'>): string[] {
  return [
    ...(reservedUsd === 0 ? [] : [t('{0} reserved', usd(reservedUsd))]),
    ...(unsettledUsd === 0 ? [] : [t('{0} unsettled', usd(unsettledUsd))]),
  ];
}
