/** What waits for the steward. Nothing here decides by itself: the host asks again where that is needed. */
import { useState } from 'react';
import type { PanelApproval } from '../../../src/shared/panelView.ts';
import { DEFAULT_PROJECT } from '../../../src/shared/projects.ts';
import { post } from '../bridge.ts';
import { localTime, visible } from '../format.ts';
import { t } from '../l10n.ts';
import { choiceLabel, kindLabel } from '../labels.ts';
import { look, usePage } from '../store.ts';
import { talkName } from '../talk/talkers.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Select } from '../ui/Select.tsx';
import { approveLabel, isEitherOr } from './approveLabel.ts';
import { questionId } from './goToQuestion.ts';

const LONG_DETAIL = 400;

function Detail({ text }: { readonly text: string }) {
  if (text === '') return null;
  if (text.length <= LONG_DETAIL) return <p className="prose">{visible(text)}</p>;
  return (
    <details>
      <summary>{t('Details')}</summary>
      <p className="prose">{visible(text)}</p>
    </details>
  );
}

function Executables({ paths }: { readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <div className="callout">
      <p>{t('Files that would run on this machine:')}</p>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{visible(path)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a no comes to, where it is more than a no. */
function Refused({ refusal, waiting }: Pick<PanelApproval, 'refusal' | 'waiting'>) {
  if (refusal === null) return null;
  if (waiting !== undefined && refusal === 'ends')
    return <p className="muted">{t('A rejection ends all jobs that wait for this.')}</p>;
  return (
    <p className="muted">
      {refusal === 'ends' ? t('A rejection ends the job.') : t('A rejection pauses the job; its work is kept.')}
    </p>
  );
}

/** Several that wait for the same cause. */
function Waiting({ titles }: { readonly titles: readonly string[] }) {
  if (titles.length === 0) return null;
  return (
    <div className="prose">
      <p>{t('Your answer counts for all that wait for this:')}</p>
      <ul>
        {titles.map((title) => (
          <li key={title}>{visible(title)}</li>
        ))}
      </ul>
    </div>
  );
}

interface ApprovalProps {
  readonly approval: PanelApproval;
  /** Whether its card is elsewhere. */
  readonly leadsToCard?: boolean;
  /** Whether it stands with its task, which need not be named then. */
  readonly inTask?: boolean;
}

interface AnswersProps extends ApprovalProps {
  readonly picked: string | null;
}

function Answers({ approval, picked, leadsToCard = false }: AnswersProps) {
  const { id, featureId, jobId, kind, reviewable } = approval;
  const question = visible(approval.question);
  if (kind === 'pick') return <Picking approval={approval} />;
  return (
    <div className="row">
      {reviewable ? (
        <Button
          label={t('Review Changes')}
          describes={question}
          onPress={() => post({ kind: 'review', approvalId: id, jobId })}
        />
      ) : null}
      {kind === 'plan' && jobId !== null ? (
        <Button label={t('Open Plan')} describes={question} onPress={() => post({ kind: 'openPlan', jobId })} />
      ) : null}
      <Button
        secondary={reviewable || kind === 'plan'}
        label={approveLabel(approval, picked)}
        describes={question}
        onPress={() => post({ kind: 'approve', approvalId: id, jobId, choice: picked })}
      />
      <Button
        secondary
        label={t('Reject…')}
        describes={question}
        onPress={() => post({ kind: 'reject', approvalId: id, jobId })}
      />
      {kind === 'limit' && jobId !== null ? (
        <Link label={t('Set Budget…')} onPress={() => post({ kind: 'setBudget', jobId })} />
      ) : null}
      {leadsToCard && featureId !== null ? (
        <Link label={t('Show feature')} onPress={() => look({ tab: 'board', selected: featureId })} />
      ) : null}
    </div>
  );
}

/** Elsewhere than beside the results themselves: it leads there. */
function Picking({ approval: { id, jobId, featureId, question } }: Pick<ApprovalProps, 'approval'>) {
  return (
    <div className="row">
      {featureId === null ? null : (
        <Button
          label={t('Compare Results')}
          describes={visible(question)}
          onPress={() => look({ tab: 'board', selected: featureId })}
        />
      )}
      <Button
        secondary
        label={t('None of These…')}
        describes={visible(question)}
        onPress={() => post({ kind: 'reject', approvalId: id, jobId })}
      />
    </div>
  );
}

function EitherOr({ approval: { id, jobId, kind, choices, question } }: Pick<ApprovalProps, 'approval'>) {
  return (
    <div className="row">
      {choices.map((choice, at) => (
        <Button
          key={choice}
          secondary={at > 0}
          label={choiceLabel(kind, choice)}
          describes={visible(question)}
          onPress={() => post({ kind: 'approve', approvalId: id, jobId, choice })}
        />
      ))}
    </div>
  );
}

/** What it is about: of a task, the way there, since several may ask the same. */
function About({ approval: { kind, projectId, taskId }, inTask }: Pick<ApprovalProps, 'approval' | 'inTask'>) {
  const task = usePage(({ view }) =>
    inTask || taskId === null ? undefined : view?.tasks.find(({ id }) => id === taskId),
  );
  return (
    <span>
      {projectId === DEFAULT_PROJECT ? kindLabel(kind) : `${kindLabel(kind)} · ${talkName(projectId)}`}
      {task === undefined ? null : (
        <>
          {' · '}
          <Link label={visible(task.name)} onPress={() => post({ kind: 'openTask', taskId: task.id })} />
        </>
      )}
    </span>
  );
}

export function Approval({ approval, leadsToCard = false, inTask = false }: ApprovalProps) {
  const { id, choices, kind } = approval;
  const [picked, setPicked] = useState(choices[0] ?? null);
  return (
    <article className="approval" id={questionId(id)} tabIndex={-1} aria-label={visible(approval.question)}>
      <p className="approval-kind">
        <About approval={approval} inTask={inTask} />
        <time dateTime={approval.requestedAt}>{localTime(approval.requestedAt)}</time>
      </p>
      <h3>{visible(approval.question)}</h3>
      <Detail text={approval.detail} />
      <Executables paths={approval.executables} />
      <Waiting titles={approval.waiting ?? []} />
      <Refused {...approval} />
      {choices.length < 2 || kind === 'pick' || isEitherOr(approval) ? null : (
        <Select
          label={t('How to go on')}
          value={picked ?? ''}
          choices={choices.map((value) => ({ value, label: choiceLabel(kind, value) }))}
          onPick={setPicked}
        />
      )}
      {isEitherOr(approval) ? (
        <EitherOr approval={approval} />
      ) : (
        <Answers approval={approval} picked={picked} leadsToCard={leadsToCard} />
      )}
    </article>
  );
}

/** One question per outside cause: its answer settles the others. */
export const inList = (approvals: readonly PanelApproval[]): readonly PanelApproval[] =>
  approvals.filter(({ settledBy }) => settledBy === undefined);

/** Each where it can be answered at once: the sidebar's list. */
export function Approvals({ approvals }: { readonly approvals: readonly PanelApproval[] }) {
  return (
    <ul className="approvals" aria-label={t('Waits for you')}>
      {inList(approvals).map((approval) => (
        <li key={approval.id}>
          <Approval approval={approval} leadsToCard />
        </li>
      ))}
    </ul>
  );
}

/** Beside the board: a question about a feature is answered on its card, and only named here. */
export function BoardApprovals({ approvals }: { readonly approvals: readonly PanelApproval[] }) {
  const listed = inList(approvals);
  const onCards = listed.filter(({ featureId }) => featureId !== null);
  return (
    <ul className="approvals" aria-label={t('Waits for you')}>
      {listed
        .filter(({ featureId }) => featureId === null)
        .map((approval) => (
          <li key={approval.id}>
            <Approval approval={approval} />
          </li>
        ))}
      {onCards.length === 0 ? null : (
        <li className="on-cards">
          <p className="approval-kind">{t('On their cards')}</p>
          {onCards.map(({ id, question, featureId }) => (
            <p key={id} className="on-card">
              <Icon name="bell" />
              <Link label={visible(question)} onPress={() => look({ tab: 'board', selected: featureId })} />
            </p>
          ))}
        </li>
      )}
    </ul>
  );
}
