/** Attempts at a feature and reviews of its phase: how each ended, and on what evidence. */
import type { ReactNode } from 'react';
import { differs } from '../../../../src/core/job/view/freshRun.ts';
import { BUILT_IN } from '../../../../src/shared/agent/executors.ts';
import type { PanelAttempt, PanelReview } from '../../../../src/shared/workspace/panel.ts';
import { agentTitle, changedText, costText } from '../../agent/agentFacts.ts';
import { RouteReason } from '../../agent/RouteTag.tsx';
import { post } from '../../store/bridge.ts';
import { t } from '../../store/l10n.ts';
import { usePage } from '../../store/store.ts';
import { IconButton, Link } from '../../ui/Button.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { duration, localTime, usd, visible } from '../../ui/text/format.ts';
import { attemptLabel, causeLabel, verdictLabel } from '../../ui/text/labels.ts';
import { Feedback } from '../Feedback.tsx';
import { TodoList } from '../Todo.tsx';
import { returnText } from './placeFacts.ts';

type Proof = PanelAttempt['evidence'][number];

/** Where the command ran, if it was not the worker's tree, and whether that tree disagrees. */
function proofOrigin(proof: Proof): string {
  if (proof.fresh === undefined) return '';
  if (!differs(proof)) return t('fresh checkout');
  return proof.fresh.inTree === 'passed'
    ? t("fresh checkout; passed in the worker's tree")
    : t("fresh checkout; failed in the worker's tree");
}

export function proofOutcome({ exitCode, ended }: Pick<Proof, 'exitCode' | 'ended'>): string {
  if (ended !== null) return causeLabel(ended);
  if (exitCode === 0) return t('passed');
  return exitCode === null ? t('no exit code') : t('exit code {0}', exitCode);
}

export function Evidence({ proofs }: { readonly proofs: readonly Proof[] }) {
  if (proofs.length === 0) return null;
  return (
    <ul className="proofs">
      {proofs.map((proof, index) => {
        const passed = proof.exitCode === 0 && proof.ended === null;
        const command = visible(proof.command);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: evidence is in the order of the commands, which may repeat
          <li key={index} className={passed ? 'proof passed' : 'proof not-passed'}>
            <Icon name={passed ? 'pass' : 'error'} />
            <span className="proof-text">
              <code>{command}</code>
              <span className="muted">
                {[proofOutcome(proof), duration(proof.durationMs), proofOrigin(proof)]
                  .filter((part) => part !== '')
                  .join(', ')}
              </span>
            </span>
            <IconButton
              icon="output"
              label={t('Show output of {0}', command)}
              onPress={() => post({ kind: 'openArtifact', name: proof.artifact })}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface RunProps {
  readonly run: PanelAttempt | PanelReview;
  readonly more?: readonly string[];
}

function Run({ run: { executor, startedAt, endedAt, workedMs, costUsd }, more = [usd(costUsd)] }: RunProps) {
  const agent = usePage(({ view }) => (executor === BUILT_IN ? '' : agentTitle(view?.agents, executor)));
  const facts = [
    ...(agent === '' ? [] : [agent]),
    localTime(startedAt),
    ...(endedAt === null ? [] : [duration(workedMs)]),
    ...more,
  ];
  return <p className="muted">{facts.join(' · ')}</p>;
}

const OUTCOMES: Readonly<Record<string, IconName>> = {
  running: 'loading',
  still: 'debug-pause',
  succeeded: 'pass',
  failed: 'error',
  APPROVED: 'pass',
  REJECTED: 'error',
};

/** How it ended, or that it runs. */
export function Head({ outcome, children }: { readonly outcome: string; readonly children: ReactNode }) {
  return (
    <h4 className={`outcome outcome-${outcome}`}>
      <Icon name={OUTCOMES[outcome] ?? 'circle-slash'} spin={outcome === 'running'} />
      <span>{children}</span>
    </h4>
  );
}

/** The status, or `still` if the status is running but no process works on the job. */
const shownStatus = (status: string, still: boolean) => (still && status === 'running' ? 'still' : status);
const statusLabel = (status: string, still: boolean) =>
  shownStatus(status, still) === 'still' ? t('Not running') : attemptLabel(status);

/** Omits a cause that repeats the status. */
const causeOf = (cause: string | null) => (cause === null || cause === 'done' ? '' : ` (${causeLabel(cause)})`);

interface AttemptProps {
  readonly attempt: PanelAttempt;
  /** Whether no process works on its job. */
  readonly still: boolean;
  /** Whether its result was taken, among several attempts of one feature. */
  readonly picked: boolean;
}

export function Attempt({ attempt, still, picked }: AttemptProps) {
  const { number, summary, feedback, diff } = attempt;
  return (
    <li className="attempt">
      <Head outcome={shownStatus(attempt.status, still)}>
        {t('Attempt {0}: {1}', number, statusLabel(attempt.status, still))}
        {causeOf(attempt.cause)}
        {picked ? ` · ${t('its result was taken')}` : ''}
      </Head>
      <Run run={attempt} more={[costText(attempt), changedText(attempt)].filter((fact) => fact !== '')} />
      {attempt.route === null ? null : <RouteReason route={attempt.route} />}
      {attempt.returns.map(({ cause, paths, at }) => (
        <p key={at} className="muted">
          {localTime(at)}: {returnText({ cause, path: paths[0] ?? null, more: Math.max(0, paths.length - 1) })}
        </p>
      ))}
      {summary === null ? null : <p className="prose">{visible(summary)}</p>}
      {feedback === null ? null : <Feedback text={feedback} />}
      <TodoList attempt={attempt} />
      <Evidence proofs={attempt.evidence} />
      <div className="row">
        <Link
          label={t('Transcript')}
          describes={t('attempt {0}', number)}
          onPress={() => post({ kind: 'openTranscript', sessionId: attempt.sessionId })}
        />
        {diff === null ? null : (
          <Link
            label={t('Patch')}
            describes={t('attempt {0}', number)}
            onPress={() => post({ kind: 'openArtifact', name: diff })}
          />
        )}
      </div>
    </li>
  );
}

export function Review({ review, still }: { readonly review: PanelReview; readonly still: boolean }) {
  const { number, verdict, reason, feedback } = review;
  const outcome = verdict === null ? statusLabel(review.status, still) : verdictLabel(verdict);
  return (
    <li className="attempt">
      <Head outcome={verdict ?? shownStatus(review.status, still)}>
        {t('Review {0}: {1}', number, outcome)}
        {verdict === null ? causeOf(review.cause) : ''}
      </Head>
      <Run run={review} />
      {review.route === null ? null : <RouteReason route={review.route} />}
      {reason === null ? null : <p className="prose">{visible(reason)}</p>}
      {feedback === null || feedback === reason ? null : <Feedback text={feedback} />}
      <Evidence proofs={review.evidence} />
      <div className="row">
        <Link
          label={t('Transcript')}
          describes={t('review {0}', number)}
          onPress={() => post({ kind: 'openTranscript', sessionId: review.sessionId })}
        />
      </div>
    </li>
  );
}
