/** Formats what tokens were paid for, and what handovers saved. */
import { type CacheAmounts, TOKEN_USES, type TokenUse, type UsedTokens } from '../../shared/money.ts';
import { dollars, tokens } from '../text/format.ts';
import { type Column, table } from '../text/table.ts';

const LABELS: Readonly<Record<TokenUse, string>> = {
  read: 'read from the cache',
  first: 'sent for the first time',
  idle: 'again after a pause',
  handover: 'again after a handover',
  changed: 'again, changed or lost',
  unstored: 'again, not cached',
  output: 'answers',
  unknown: 'other',
};

export function cacheTable(amounts: CacheAmounts, width: number): string[] {
  const columns: readonly Column[] = [
    { title: 'PAID FOR', gives: true },
    { title: 'TOKENS', align: 'right' },
    { title: 'COST', align: 'right' },
  ];
  const rows = TOKEN_USES.flatMap((use) => {
    const used = amounts.uses[use];
    return used === undefined ? [] : [[LABELS[use], tokens(used.tokens), costText(used)]];
  });
  const handed = handoversText(amounts);
  return [...table(columns, rows, width), ...(handed === null ? [] : [capitalized(handed)])];
}

const costText = ({ tokens: all, unpricedTokens, usd }: UsedTokens): string =>
  usd === 0 && all > 0 && unpricedTokens === all ? 'not priced' : dollars(usd);

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `handed over 3 times, saved about $0.42`. Null if no conversation was handed over. */
export function handoversText({ handovers, savedUsd }: Pick<CacheAmounts, 'handovers' | 'savedUsd'>): string | null {
  if (handovers === 0) return null;
  const times = `handed over ${handovers === 1 ? 'once' : `${handovers} times`}`;
  return savedUsd === null ? times : `${times}, saved about ${dollars(savedUsd)}`;
}
