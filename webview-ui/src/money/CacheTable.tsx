/** A table of what tokens were paid for, by job, role or session. */
import { type CacheAmounts, type CacheLine, TOKEN_USES, type TokenUse } from '../../../src/shared/money.ts';
import { t } from '../store/l10n.ts';
import { count, usd } from '../ui/text/format.ts';
import { isNotPriced, USE_LABELS } from './cacheText.ts';
import { Heads, WideTable } from './WideTable.tsx';

interface CacheTableProps {
  readonly title: string;
  /** Header of the first column. */
  readonly of: string;
  readonly lines: readonly CacheLine[];
  readonly labelOf: (line: CacheLine) => string;
}

function Use({ amounts, use }: { readonly amounts: CacheAmounts; readonly use: TokenUse }) {
  const used = amounts.uses[use];
  if (used === undefined) return <td />;
  return (
    <td>
      {isNotPriced(used) ? null : <div>{usd(used.usd)}</div>}
      <div className="muted">{t('{0} tokens', count(used.tokens))}</div>
    </td>
  );
}

export function CacheTable({ title, of, lines, labelOf }: CacheTableProps) {
  const shown = TOKEN_USES.filter((use) => lines.some(({ uses }) => uses[use] !== undefined));
  return (
    <div className="uses">
      <WideTable
        label={title}
        head={
          <Heads first={of} text={[]} figures={[...shown.map((use) => USE_LABELS[use]), t('Handovers'), t('Saved')]} />
        }
        rows={lines}
        row={(line) => (
          <tr key={line.key}>
            <th scope="row">{labelOf(line)}</th>
            {shown.map((use) => (
              <Use key={use} amounts={line} use={use} />
            ))}
            <td>{line.handovers === 0 ? '' : line.handovers}</td>
            <td>{line.savedUsd === null ? '' : t('about {0}', usd(line.savedUsd))}</td>
          </tr>
        )}
        none={t('Nothing spent yet.')}
      />
    </div>
  );
}
