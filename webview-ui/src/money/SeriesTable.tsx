/** The chart of the cost as a table. */
import type { PanelCostTables } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { localTime, usd } from '../ui/text/format.ts';
import { roleLabel } from '../ui/text/labels.ts';
import { WideTable } from './WideTable.tsx';

/** The figures of the chart as a table, for readers who do not see the chart. */
export function SeriesTable({ series }: Pick<PanelCostTables, 'series'>) {
  const { roles, points } = series;
  return (
    <details>
      <summary>{t('The chart as a table')}</summary>
      <WideTable
        label={t('Cost over time')}
        head={
          <>
            <th scope="col">{t('Time')}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {roleLabel(role)}
              </th>
            ))}
            <th scope="col">{t('In all')}</th>
          </>
        }
        rows={points}
        row={({ at, usd: sums }, index) => (
          <tr key={index}>
            <th scope="row">{localTime(new Date(at * 1000).toISOString())}</th>
            {roles.map((role, of) => (
              <td key={role}>{usd(sums[of] ?? 0)}</td>
            ))}
            <td>{usd(sums.reduce((sum, one) => sum + one, 0))}</td>
          </tr>
        )}
        none={t('Nothing spent yet.')}
      />
    </details>
  );
}
