/** What all tokens were paid for, with the share of each part in the cost. The bars repeat the numbers beside them. */
import { type CacheAmounts, TOKEN_USES, type TokenUse, type UsedTokens } from '../../../src/shared/money.ts';
import { t } from '../store/l10n.ts';
import { count, usd } from '../ui/text/format.ts';
import { handoverSentence, isNotPriced, USE_LABELS } from './cacheText.ts';
import { ShareCell } from './ShareCell.tsx';
import { Heads, WideTable } from './WideTable.tsx';

const NO_TOKENS: UsedTokens = { tokens: 0, unpricedTokens: 0, usd: 0 };

interface UsedProps {
  readonly used: UsedTokens;
  /** Share in the cost, or in the tokens if no token has a price. */
  readonly share: number | null;
  readonly allUnpriced: boolean;
}

function Used({ used, share, allUnpriced }: UsedProps) {
  const isUnpriced = isNotPriced(used);
  return (
    <>
      <td>{count(used.tokens)}</td>
      <td className={isUnpriced ? 'muted' : undefined}>
        {isUnpriced ? t('Not priced') : allUnpriced && used.tokens === 0 ? '' : usd(used.usd)}
      </td>
      <ShareCell share={isUnpriced && !allUnpriced ? null : share} kind="cost" />
    </>
  );
}

export function UseTable({ amounts }: { readonly amounts: CacheAmounts }) {
  const { uses, calls, unpricedCalls } = amounts;
  const allUnpriced = unpricedCalls === calls;
  const sizeOf = (use: TokenUse): number => (allUnpriced ? uses[use]?.tokens : uses[use]?.usd) ?? 0;
  const total = TOKEN_USES.reduce((sum, use) => sum + sizeOf(use), 0);
  // What was sent again is shown even if it is nothing: the reader looks for it.
  const shown = TOKEN_USES.filter((use) => use !== 'unknown' || uses[use] !== undefined);
  return (
    <>
      <WideTable
        label={t('Where the money goes')}
        head={<Heads first={t('Paid for')} text={[]} figures={[t('Tokens'), t('Cost'), t('Share')]} />}
        rows={calls === 0 ? [] : shown}
        row={(use) => (
          <tr key={use}>
            <th scope="row">{USE_LABELS[use]}</th>
            <Used
              used={uses[use] ?? NO_TOKENS}
              share={total === 0 ? null : sizeOf(use) / total}
              allUnpriced={allUnpriced}
            />
          </tr>
        )}
        none={t('Nothing spent yet.')}
      />
      {calls === 0 ? null : <p className="muted padded">{handoverSentence(amounts)}</p>}
    </>
  );
}
