/** Everything that is known of one card. */
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { PanelAttempt, PanelCard, PanelDetails } from '../../../src/shared/panelView.ts';
import { post } from '../bridge.ts';
import { duration, localTime, usd, visible, words } from '../format.ts';
import { look, usePage } from '../store.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LiveState } from './Card.tsx';
import { LANES } from './lanes.ts';

type Proof = PanelAttempt['evidence'][number];

function proofOutcome({ exitCode, ended }: Proof): string {
  if (ended !== null) return words(ended);
  return exitCode === 0 ? 'passed' : `exit code ${exitCode ?? 'unknown'}`;
}

function Evidence({ proof }: { readonly proof: Proof }) {
  const passed = proof.exitCode === 0 && proof.ended === null;
  return (
    <li className={passed ? 'proof passed' : 'proof not-passed'}>
      <Icon name={passed ? 'pass' : 'error'} />
      <code>{visible(proof.command)}</code>
      <span className="muted">
        {visible(proofOutcome(proof))}, {duration(proof.durationMs)}
      </span>
      <IconButton
        icon="output"
        label={`Show output of ${visible(proof.command)}`}
        onPress={() => post({ kind: 'openArtifact', name: proof.artifact })}
      />
    </li>
  );
}

function Attempt({ attempt }: { readonly attempt: PanelAttempt }) {
  const { cause, summary, feedback, diff } = attempt;
  return (
    <li className="attempt">
      <h4>
        Attempt {attempt.number}: {visible(words(attempt.status))}
        {cause === null ? '' : ` (${visible(words(cause))})`}
      </h4>
      <p className="muted">
        {localTime(attempt.startedAt)}
        {attempt.endedAt === null ? '' : `, ${duration(Date.parse(attempt.endedAt) - Date.parse(attempt.startedAt))}`},{' '}
        {usd(attempt.costUsd)}
      </p>
      {summary === null ? null : <p className="prose">{visible(summary)}</p>}
      {feedback === null ? null : <p className="prose quoted">{visible(feedback)}</p>}
      {attempt.evidence.length === 0 ? null : (
        <ul className="plain">
          {attempt.evidence.map((proof, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: evidence is in the order of the commands, which may repeat
            <Evidence key={index} proof={proof} />
          ))}
        </ul>
      )}
      <div className="row">
        <Button
          secondary
          label="Transcript"
          describes={`attempt ${attempt.number}`}
          onPress={() => post({ kind: 'openTranscript', sessionId: attempt.sessionId })}
        />
        {diff === null ? null : (
          <Button
            secondary
            label="Patch"
            describes={`attempt ${attempt.number}`}
            onPress={() => post({ kind: 'openArtifact', name: diff })}
          />
        )}
      </div>
    </li>
  );
}

function Notes({ featureId, notes }: Pick<PanelDetails, 'featureId' | 'notes'>) {
  return (
    <section>
      <h3>
        Notes <IconButton icon="add" label="Add a note" onPress={() => post({ kind: 'addNote', featureId })} />
      </h3>
      {notes.length === 0 ? (
        <p className="muted">No notes yet.</p>
      ) : (
        <ul className="plain">
          {notes.map((note) => (
            <li key={note.id} className="note">
              <p className="prose">{visible(note.content)}</p>
              <p className="muted">{localTime(note.createdAt)}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Facts({ card }: { readonly card: PanelCard }) {
  return (
    <dl className="facts">
      <dt>State</dt>
      <dd>{LANES.find(({ lane }) => lane === card.lane)?.title}</dd>
      <dt>Category</dt>
      <dd>{visible(card.category)}</dd>
      {card.phaseTitle === null ? null : (
        <>
          <dt>Phase</dt>
          <dd>
            {card.phaseNumber}. {visible(card.phaseTitle)}
          </dd>
        </>
      )}
      <dt>Retries</dt>
      <dd>
        {card.retries} of {card.maxRetries}
      </dd>
      <dt>Cost</dt>
      <dd>{usd(card.costUsd)}</dd>
    </dl>
  );
}

function Reasons({ held, failureReason, feedback }: Pick<PanelDetails, 'held' | 'failureReason' | 'feedback'>) {
  return (
    <>
      {held === null ? null : <p className="callout">{visible(held)}</p>}
      {failureReason === null ? null : <p className="callout failed">{visible(failureReason)}</p>}
      {feedback === null ? null : (
        <section>
          <h3>Feedback for the next attempt</h3>
          <p className="prose quoted">{visible(feedback)}</p>
        </section>
      )}
    </>
  );
}

/** What comes with the snapshot only while the card is looked at. */
function Whole({ card, details }: { readonly card: PanelCard; readonly details: PanelDetails }) {
  return (
    <>
      <Reasons held={details.held} failureReason={details.failureReason} feedback={details.feedback} />
      <p className="prose">{visible(details.description)}</p>
      <Facts card={card} />
      {details.testingSteps.length === 0 ? null : (
        <section>
          <h3>Testing steps</h3>
          <ol>
            {details.testingSteps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps are an ordered list and may repeat
              <li key={index}>{visible(step)}</li>
            ))}
          </ol>
        </section>
      )}
      <section>
        <h3>Attempts</h3>
        {details.attempts.length === 0 ? <p className="muted">Not tried yet.</p> : null}
        <ul className="plain">
          {details.attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} />
          ))}
        </ul>
      </section>
      <Notes featureId={card.id} notes={details.notes} />
    </>
  );
}

/** `replaces`: the list that it was opened from is gone meanwhile, so the reader is brought here. */
export function Details({ card, replaces = false }: { readonly card: PanelCard; readonly replaces?: boolean }) {
  const pane = useRef<HTMLElement>(null);
  const details = usePage(({ view }) => (view?.details?.featureId === card.id ? view.details : null));
  useEffect(() => {
    if (!replaces) return;
    window.scrollTo(0, 0);
    pane.current?.querySelector<HTMLElement>('header button')?.focus();
  }, [replaces]);
  const close = () => {
    flushSync(() => look({ selected: null }));
    document.querySelector<HTMLElement>(`[data-card="${card.id}"]`)?.focus();
  };
  return (
    <aside
      className="details"
      ref={pane}
      aria-label={`Feature ${card.id}`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <header>
        <h2>{visible(card.name)}</h2>
        <IconButton icon="close" label="Close details" onPress={close} />
      </header>
      <div className="row">
        {card.attempts === 0 ? null : (
          <Button secondary label="Show diff" onPress={() => post({ kind: 'showDiff', featureId: card.id })} />
        )}
        {card.status === 'failed' && card.jobId !== null ? (
          <Button label="Retry" onPress={() => post({ kind: 'retryFeature', featureId: card.id })} />
        ) : null}
      </div>
      <LiveState card={card} />
      {details === null ? (
        <p className="muted" role="status">
          Loading…
        </p>
      ) : (
        <Whole card={card} details={details} />
      )}
    </aside>
  );
}
