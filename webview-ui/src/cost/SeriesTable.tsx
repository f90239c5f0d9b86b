import type { PanelCostTables } from '../../../src/shared/panelView.ts';
import { localTime, usd } from '../format.ts';
import { t } from '../l10n.ts';
import { roleLabel } from '../labels.ts';

/** The chart's twin: the same to those who do not see it. */
export function SeriesTable({ series }: Pick<PanelCostTables, 'series'>) {
  const { roles, points } = series;
  return (
    <details>
      <summary>{t('The chart as a table')}</summary>
      <table className="costs">
        <caption className="unseen">{t('Cost over time')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {roleLabel(role)}
              </th>
            ))}
            <th scope="col">{t('In all')}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, usd: sums }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points are in order and several may share a second
            <tr key={index}>
              <td>{localTime(new Date(at * 1000).toISOString())}</td>
              {roles.map((role, of) => (
                <td key={role}>{usd(sums[of] ?? 0)}</td>
              ))}
              <td>{usd(sums.reduce((sum, one) => sum + one, 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
