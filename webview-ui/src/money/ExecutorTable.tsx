/** How well each executor did in each role. The bars repeat the numbers beside them. */
import type { ExecutorLine } from '../../../src/shared/workspace/panel.ts';
import { agentTitle } from '../agent/agentFacts.ts';
import { plural, t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { duration, usd } from '../ui/text/format.ts';
import { roleLabel } from '../ui/text/labels.ts';
import { ShareCell } from './ShareCell.tsx';
import { Heads, WideTable } from './WideTable.tsx';

function costOf({ calls, unpricedCalls, settledUsd }: ExecutorLine): string {
  if (unpricedCalls === 0) return usd(settledUsd);
  if (unpricedCalls === calls && settledUsd === 0) return t('Not priced');
  const unpriced = plural(unpricedCalls, { one: '{0} call not priced', other: '{0} calls not priced' });
  return `${usd(settledUsd)} (${unpriced})`;
}

function Line({ line }: { readonly line: ExecutorLine }) {
  const { executor, role, attempts, passed, passRate, medianMs, unpricedCalls, settledUsd, usdPerPassed } = line;
  const agent = usePage(({ view }) => agentTitle(view?.agents, executor));
  const isTold = usdPerPassed !== null && (unpricedCalls === 0 || settledUsd > 0);
  return (
    <tr>
      <th scope="row">{agent}</th>
      <td className="text">{roleLabel(role)}</td>
      <td>{attempts}</td>
      <td>{passed}</td>
      <ShareCell share={passRate} kind="pass" />
      <td>{medianMs === null ? '' : duration(medianMs)}</td>
      <td>{costOf(line)}</td>
      <td>{isTold ? usd(usdPerPassed) : ''}</td>
    </tr>
  );
}

export function ExecutorTable({ lines }: { readonly lines: readonly ExecutorLine[] }) {
  const heads = [t('Attempts'), t('Passed'), t('Pass rate'), t('Median time'), t('Cost'), t('Cost per passed attempt')];
  return (
    <WideTable
      label={t('Executors')}
      head={<Heads first={t('Executor')} text={[t('Role')]} figures={heads} />}
      rows={lines}
      row={(line) => <Line key={`${line.executor} ${line.role}`} line={line} />}
      none={t('No attempts yet.')}
    />
  );
}
