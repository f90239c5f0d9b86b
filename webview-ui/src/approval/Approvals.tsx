/** The pending questions to the steward. Pressing a button decides nothing: the host asks for confirmation in a dialog. */

import { useState } from 'react';
import { DEFAULT_PROJECT } from '../../../src/shared/project/projects.ts';
import type { PanelApproval } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { showFeature, usePage } from '../store/store.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Select } from '../ui/Select.tsx';
import { localTime, visible } from '../ui/text/format.ts';
import { choiceLabel, conversationName, kindLabel } from '../ui/text/labels.ts';
import { approveLabel, isEitherOr } from './approveLabel.ts';
import { useLed } from './goToQuestion.ts';

const LONG_DETAIL = 400;

/** Git indents each line of a diffstat by a space. Its columns need a monospaced font; the sentences around it wrap. */
function Changes({ text }: { readonly text: string }) {
  const found = /(?:^ .* \| .*(?:\n|$))(?:^ .*(?:\n|$))*/m.exec(text);
  const [stat = ''] = found ?? [];
  const start = found?.index ?? text.length;
  const [before, after] = [text.slice(0, start), text.slice(start + stat.length)];
  return (
    <>
      {before.trim() === '' ? null : <p className="prose">{visible(before.trim())}</p>}
      {stat === '' ? null : <p className="prose stat">{visible(stat.trimEnd())}</p>}
      {after.trim() === '' ? null : <p className="prose">{visible(after.trim())}</p>}
    </>
  );
}

/** The words of a reviewer and the facts after them, which may be long. Other texts have no such words. */
function wordsAndFacts({ kind, detail }: PanelApproval): readonly [words: string, facts: string] {
  const end = kind === 'phase' || kind === 'escalate' ? detail.indexOf('\n\n') : -1;
  return end === -1 || end > LONG_DETAIL ? ['', detail] : [detail.slice(0, end), detail.slice(end).trim()];
}

function Detail({ approval }: ApprovalProps) {
  if (approval.detail === '') return null;
  const [words, facts] = wordsAndFacts(approval);
  const hasStat = approval.kind === 'merge' || approval.kind === 'phase' || approval.kind === 'escalate';
  const shown = hasStat ? <Changes text={facts} /> : <p className="prose">{visible(facts)}</p>;
  return (
    <>
      {words === '' ? null : <p className="prose">{visible(words)}</p>}
      {approval.detail.length <= LONG_DETAIL ? (
        shown
      ) : (
        <details>
          <summary>{t('Details')}</summary>
          {shown}
        </details>
      )}
    </>
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

function refusedText(refusal: NonNullable<PanelApproval['refusal']>, waiting: PanelApproval['waiting']): string {
  switch (refusal) {
    case 'ends':
      return waiting === undefined
        ? t('A rejection ends the job.')
        : t('A rejection ends all jobs that need this answer.');
    case 'pauses':
      return t('A rejection pauses the job; its work is kept.');
    case 'fails':
      return t('A rejection marks the feature as failed; the job continues with the others.');
    case 'drops':
      return t("A rejection ends this agent's attempt. The other agents' attempts are kept.");
    case 'skips':
      return t('A rejection runs no setup commands; the job continues.');
  }
}

/** The effects of a rejection besides forwarding its reason. */
function Refused({ refusal, waiting }: Pick<PanelApproval, 'refusal' | 'waiting'>) {
  return refusal === null ? null : <p className="muted">{refusedText(refusal, waiting)}</p>;
}

/** The rule that is offered because the person always approved such gates. */
function Offer({ text }: { readonly text: string }) {
  return (
    <p className="muted">
      {visible(text)} <Link label={t('Approval Rules…')} onPress={() => post({ kind: 'rules' })} />
    </p>
  );
}

/** Several that wait for the same cause. */
function Waiting({ titles }: { readonly titles: readonly string[] }) {
  if (titles.length === 0) return null;
  return (
    <div className="prose">
      <p>{t('Your answer applies to all of these:')}</p>
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
}

interface AnswersProps extends ApprovalProps {
  readonly picked: string | null;
}

function Answers({ approval, picked }: AnswersProps) {
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
      {kind === 'limit' && jobId !== null && featureId === null ? (
        <Link label={t('Set Budget…')} onPress={() => post({ kind: 'setBudget', jobId })} />
      ) : null}
      {approval.blocked === true && jobId !== null ? (
        <Link label={t('Add Setup Command…')} describes={question} onPress={() => post({ kind: 'addSetup', jobId })} />
      ) : null}
      {featureId === null ? null : <Link label={t('Show feature')} onPress={() => showFeature(featureId)} />}
    </div>
  );
}

/** A candidate is picked beside the results, in the details of their feature. */
function Picking({ approval: { id, jobId, featureId, question } }: ApprovalProps) {
  return (
    <div className="row">
      {featureId === null ? null : (
        <Button label={t('Compare Results')} describes={visible(question)} onPress={() => showFeature(featureId)} />
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

function EitherOr({ approval: { id, jobId, kind, choices, question } }: ApprovalProps) {
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

/** The kind of the question, its project, and a link to its task, because several tasks may ask the same. */
function About({ approval: { kind, projectId, taskId } }: ApprovalProps) {
  const task = usePage(({ view }) => (taskId === null ? undefined : view?.tasks.find(({ id }) => id === taskId)));
  return (
    <span>
      {projectId === DEFAULT_PROJECT ? kindLabel(kind) : `${kindLabel(kind)} · ${conversationName(projectId)}`}
      {task === undefined ? null : (
        <>
          {' · '}
          <Link label={visible(task.name)} onPress={() => post({ kind: 'openTask', taskId: task.id })} />
        </>
      )}
    </span>
  );
}

function Body({ approval }: ApprovalProps) {
  const { choices, kind } = approval;
  const [picked, setPicked] = useState(choices[0] ?? null);
  return (
    <div className="approval-body">
      <p className="approval-kind">
        <About approval={approval} />
        <time dateTime={approval.requestedAt}>{localTime(approval.requestedAt)}</time>
      </p>
      <Detail approval={approval} />
      <Executables paths={approval.executables} />
      <Waiting titles={approval.waiting ?? []} />
      <Refused {...approval} />
      {approval.offer === undefined ? null : <Offer text={approval.offer} />}
      {choices.length < 2 || kind === 'pick' || isEitherOr(approval) ? null : (
        <Select
          label={t('How to continue')}
          value={picked ?? ''}
          choices={choices.map((value) => ({ value, label: choiceLabel(kind, value) }))}
          onPick={setPicked}
        />
      )}
      {isEitherOr(approval) ? <EitherOr approval={approval} /> : <Answers approval={approval} picked={picked} />}
    </div>
  );
}

interface AskedProps {
  readonly approval: PanelApproval;
  /** Whether the line is open at first. */
  readonly open: boolean;
}

/** One question: a line that expands to its text and answers. */
function Asked({ approval, open: opens }: AskedProps) {
  const { id } = approval;
  const [open, setOpen] = useState(opens);
  const line = useLed(id, () => {
    if (!open) setOpen(true);
  });
  const question = visible(approval.question);
  return (
    <article className="approval" id={`question-${id}`} ref={line} tabIndex={-1} aria-label={question}>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="approval-line" title={question}>
          <Icon name="bell" />
          <h3>{question}</h3>
        </summary>
        {open ? <Body approval={approval} /> : null}
      </details>
    </article>
  );
}

interface ApprovalsProps {
  readonly approvals: readonly PanelApproval[];
  /** The lines are open at first if there are no more than this. */
  readonly openUpTo: number;
}

/** One question per outside cause: its answer settles the others. */
export const inList = (approvals: readonly PanelApproval[]): readonly PanelApproval[] =>
  approvals.filter(({ settledBy }) => settledBy === undefined);

/** The inbox: the only view that shows a question in full and takes its answer. Everything else links to it by `goToQuestion`. */
export function Approvals({ approvals, openUpTo }: ApprovalsProps) {
  const listed = inList(approvals);
  return (
    <ul className="approvals" aria-label={t('Needs your input')}>
      {listed.map((approval) => (
        <li key={approval.id}>
          <Asked approval={approval} open={listed.length <= openUpTo} />
        </li>
      ))}
    </ul>
  );
}
