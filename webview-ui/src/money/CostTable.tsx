/** A table of costs by role, model, phase or feature. */
import type { CostLine } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { count, usd, visible } from '../ui/text/format.ts';
import { roleLabel } from '../ui/text/labels.ts';
import { WideTable } from './WideTable.tsx';

interface CostTableProps {
  readonly title: string;
  /** Header of the first column. */
  readonly of: string;
  readonly lines: readonly CostLine[];
  readonly roles: boolean;
}

function Money({ line }: { readonly line: CostLine }) {
  if (line.calls > 0 && line.unpricedCalls === line.calls) {
    return (
      <>
        <td className="muted">{t('Not priced')}</td>
        <td />
        <td />
      </>
    );
  }
  return (
    <>
      <td>{usd(line.settledUsd)}</td>
      <td>{usd(line.reservedUsd)}</td>
      <td>{usd(line.unsettledUsd)}</td>
    </>
  );
}

function Line({ line, roles }: { readonly line: CostLine; readonly roles: boolean }) {
  return (
    <tr>
      <th scope="row">{roles ? roleLabel(line.label) : visible(line.label)}</th>
      <Money line={line} />
      <td>{line.calls}</td>
      <td>{count(line.inputTokens)}</td>
      <td>{count(line.outputTokens)}</td>
      <td>{count(line.cacheReadTokens)}</td>
      <td>{count(line.cacheWriteTokens)}</td>
    </tr>
  );
}

export function CostTable({ title, of, lines, roles }: CostTableProps) {
  const heads = [
    of,
    t('Settled'),
    t('Reserved'),
    t('Unsettled'),
    t('Calls'),
    t('Tokens in'),
    t('Tokens out'),
    t('Cache read'),
    t('Cache write'),
  ];
  return (
    <WideTable
      label={t('Cost: {0}', title)}
      head={heads.map((head) => (
        <th key={head} scope="col">
          {head}
        </th>
      ))}
      rows={lines}
      row={(line) => <Line key={line.key} line={line} roles={roles} />}
      none={t('Nothing spent yet.')}
    />
  );
}
