/** The costs of each session as a table. */
import type { PanelCostTables } from '../../../src/shared/workspace/panel.ts';
import { agentTitle } from '../agent/agentFacts.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { IconButton } from '../ui/Button.tsx';
import { duration, localTime, usd, visible } from '../ui/text/format.ts';
import { roleLabel, sessionLabel } from '../ui/text/labels.ts';
import { Heads, WideTable } from './WideTable.tsx';

type Session = PanelCostTables['sessions'][number];

function Row({ session }: { readonly session: Session }) {
  const { id, startedAt, endedAt, workedMs, costUsd } = session;
  const agent = usePage(({ view }) => agentTitle(view?.agents, session.executor));
  return (
    <tr>
      <th scope="row">
        {roleLabel(session.role)}
        {session.featureName === null ? '' : `: ${visible(session.featureName)}`}
      </th>
      <td className="text">{agent}</td>
      <td className="text">{session.jobTitle === null ? '' : visible(session.jobTitle)}</td>
      <td className="text">{session.still === true ? t('Not running') : sessionLabel(session.status)}</td>
      <td>{localTime(startedAt)}</td>
      <td>{endedAt === null ? '' : duration(workedMs)}</td>
      <td>{session.turns}</td>
      <td>{costUsd === null ? '' : usd(costUsd)}</td>
      <td>
        <IconButton
          icon="output"
          label={t('Transcript of session {0}', id)}
          onPress={() => post({ kind: 'openTranscript', sessionId: id })}
        />
      </td>
    </tr>
  );
}

export function SessionTable({ sessions }: Pick<PanelCostTables, 'sessions'>) {
  const heads = [t('Started'), t('Took'), t('Turns'), t('Cost'), t('Transcript')];
  return (
    <WideTable
      label={t('Sessions')}
      head={<Heads first={t('Session')} text={[t('Agent'), t('Job'), t('State')]} figures={heads} />}
      rows={sessions}
      row={(session) => <Row key={session.id} session={session} />}
      none={t('No sessions yet.')}
    />
  );
}
