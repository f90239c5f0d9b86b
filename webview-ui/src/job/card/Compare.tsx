/** Compares the results of several agents for one feature. The user picks one. */
import type { PanelApproval, PanelAttempt, PanelDetails } from '../../../../src/shared/workspace/panel.ts';
import { agentTitle, changedText, costText } from '../../agent/agentFacts.ts';
import { post } from '../../store/bridge.ts';
import { t } from '../../store/l10n.ts';
import { usePage } from '../../store/store.ts';
import { Button, Link } from '../../ui/Button.tsx';
import { count, duration, visible } from '../../ui/text/format.ts';
import { attemptLabel, causeLabel } from '../../ui/text/labels.ts';
import { Evidence, Head } from './Attempts.tsx';

function Facts({ attempt }: { readonly attempt: PanelAttempt }) {
  const { endedAt, workedMs, tokens } = attempt;
  const changes = changedText(attempt);
  const facts = [
    [t('Changes'), changes === '' ? t('none') : changes],
    [t('Time'), endedAt === null ? '' : duration(workedMs)],
    [t('Cost'), costText(attempt)],
    [t('Tokens'), count(tokens)],
  ] as const;
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CandidateProps {
  readonly attempt: PanelAttempt;
  readonly approval: PanelApproval;
}

function Candidate({ attempt, approval: { id: approvalId, jobId, choices } }: CandidateProps) {
  const { id, number, status, cause, summary, diff, sessionId } = attempt;
  const agent = usePage(({ view }) => agentTitle(view?.agents, attempt.executor));
  const passed = status === 'succeeded';
  const said = passed ? t('passed') : cause === null ? attemptLabel(status) : causeLabel(cause);
  const name = t('{0}, attempt {1}', agent, number);
  return (
    <li className="attempt candidate" aria-label={name}>
      <Head outcome={status}>
        {agent}: {said}
      </Head>
      <Facts attempt={attempt} />
      <Evidence proofs={attempt.evidence} />
      {summary === null ? null : <p className="prose">{visible(summary)}</p>}
      <div className="row">
        {choices.includes(String(id)) ? (
          <Button
            label={t('Take This Result')}
            describes={name}
            onPress={() => post({ kind: 'approve', approvalId, jobId, choice: String(id) })}
          />
        ) : null}
        {diff === null ? null : (
          <Link label={t('Diff')} describes={name} onPress={() => post({ kind: 'openArtifact', name: diff })} />
        )}
        <Link label={t('Transcript')} describes={name} onPress={() => post({ kind: 'openTranscript', sessionId })} />
      </div>
    </li>
  );
}

interface CompareProps {
  readonly approval: PanelApproval;
  readonly details: PanelDetails;
}

/** The results that a question about a pick offers. One of them is taken here. */
export function Compare({ approval, details: { attempts, candidates } }: CompareProps) {
  const { id, jobId } = approval;
  const title = t('Compare results');
  return (
    <article className="results" aria-label={title}>
      <h3>{title}</h3>
      <ul className="candidates" aria-label={title}>
        {candidates.map((candidate) => {
          const attempt = attempts.find((one) => one.id === candidate);
          return attempt === undefined ? null : <Candidate key={candidate} attempt={attempt} approval={approval} />;
        })}
      </ul>
      <div className="row">
        <Button
          secondary
          label={t('None of These…')}
          describes={visible(approval.question)}
          onPress={() => post({ kind: 'reject', approvalId: id, jobId })}
        />
      </div>
    </article>
  );
}
