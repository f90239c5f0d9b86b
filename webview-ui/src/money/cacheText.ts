/** Texts about what tokens were paid for, and about handovers. */
import type { CacheAmounts, TokenUse, UsedTokens } from '../../../src/shared/money.ts';
import { plural, t } from '../store/l10n.ts';
import { usd } from '../ui/text/format.ts';

export const USE_LABELS: Readonly<Record<TokenUse, string>> = {
  read: t('Read from the cache'),
  first: t('Sent for the first time'),
  idle: t('Sent again after a pause'),
  handover: t('Sent again after a handover'),
  changed: t('Sent again, changed or lost'),
  unstored: t('Sent again, not cached'),
  output: t('Answers'),
  unknown: t('Other'),
};

type Handovers = Pick<CacheAmounts, 'handovers' | 'savedUsd'>;

/** A fact of a session's line. Null if its conversation was not handed over. */
export function handoverFact({ handovers, savedUsd }: Handovers): string | null {
  if (handovers === 0) return null;
  if (savedUsd === null) return plural(handovers, { one: 'handed over once', other: 'handed over {0} times' });
  return plural(
    handovers,
    { one: 'handed over once, saved about {1}', other: 'handed over {0} times, saved about {1}' },
    usd(savedUsd),
  );
}

/** The same for all sessions, as a sentence. */
export function handoverSentence({ handovers, savedUsd }: Handovers): string {
  if (handovers === 0) return t('No conversation was handed over to a fresh one.');
  if (savedUsd === null)
    return plural(handovers, {
      one: 'A conversation was handed over to a fresh one.',
      other: 'Conversations were handed over to fresh ones {0} times.',
    });
  return plural(
    handovers,
    {
      one: 'A conversation was handed over to a fresh one, which saved about {1}.',
      other: 'Conversations were handed over to fresh ones {0} times, which saved about {1}.',
    },
    usd(savedUsd),
  );
}

/** Whether the cost is not known, because no token has a price. */
export const isNotPriced = ({ tokens, unpricedTokens, usd }: UsedTokens): boolean =>
  tokens > 0 && unpricedTokens === tokens && usd === 0;
