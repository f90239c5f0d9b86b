/** The lesser parts of a card's details. */

import { BUILT_IN } from '../../../../src/shared/agent/executors.ts';
import type { PanelCard, PanelDetails } from '../../../../src/shared/workspace/panel.ts';
import { agentTitle, whyNotChosen } from '../../agent/agentFacts.ts';
import { chooseAgents } from '../../agent/choose.ts';
import { handoverFact } from '../../money/cacheText.ts';
import { post } from '../../store/bridge.ts';
import { plural, t } from '../../store/l10n.ts';
import { executorsOf } from '../../store/shown.ts';
import { look, usePage } from '../../store/store.ts';
import { IconButton, Link } from '../../ui/Button.tsx';
import { count, duration, localTime, usd, visible } from '../../ui/text/format.ts';
import { authorLabel, laneLabel, roleLabel } from '../../ui/text/labels.ts';
import { Feedback } from '../Feedback.tsx';

export function Reasons({ details }: { readonly details: PanelDetails }) {
  const { held, failureReason, feedback } = details;
  return (
    <>
      {held === null ? null : <p className="callout">{visible(held)}</p>}
      {failureReason === null ? null : <p className="callout failed">{visible(failureReason)}</p>}
      {feedback === null ? null : (
        <section>
          <h3>{t('Feedback for the next attempt')}</h3>
          <Feedback text={feedback} />
        </section>
      )}
    </>
  );
}

export function Steps({ steps }: { readonly steps: readonly string[] }) {
  if (steps.length === 0) return null;
  return (
    <section>
      <h3>{t('Testing steps')}</h3>
      <ol>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are an ordered list and may repeat
          <li key={index}>{visible(step)}</li>
        ))}
      </ol>
    </section>
  );
}

function Agents({ card }: { readonly card: PanelCard }) {
  const names = usePage(({ view }) =>
    executorsOf(card)
      .map((name) => agentTitle(view?.agents, name))
      .join(', '),
  );
  const why = usePage(({ view }) => whyNotChosen(card, view?.jobs ?? []));
  return (
    <>
      <p>{names}</p>
      {why === '' ? (
        <Link label={t('Choose Agent…')} describes={visible(card.name)} onPress={() => chooseAgents(card)} />
      ) : (
        <p className="muted">{why}</p>
      )}
    </>
  );
}

export function Facts({ card, details }: { readonly card: PanelCard; readonly details: PanelDetails }) {
  return (
    <dl className="facts">
      <dt>{t('State')}</dt>
      <dd>{laneLabel(card.lane)}</dd>
      <dt>{t('Agent')}</dt>
      <dd>
        <Agents card={card} />
      </dd>
      <dt>{t('Category')}</dt>
      <dd>{visible(card.category)}</dd>
      {card.phaseTitle === null ? null : (
        <>
          <dt>{t('Phase')}</dt>
          <dd>
            {card.phaseNumber}. {visible(card.phaseTitle)}
          </dd>
        </>
      )}
      {details.dependsOn.length === 0 ? null : (
        <>
          <dt>{t('Needs first')}</dt>
          <dd>
            {details.dependsOn.map(({ id, name, status }) => (
              <p key={id}>
                <Link label={visible(name)} onPress={() => look({ selected: id })} />{' '}
                <span className="muted">{laneLabel(status)}</span>
              </p>
            ))}
          </dd>
        </>
      )}
      <dt>{t('Retries')}</dt>
      <dd>{t('{0} of {1}', card.retries, card.maxRetries)}</dd>
      <dt>{t('Cost')}</dt>
      <dd>{usd(card.costUsd)}</dd>
      {details.commit === null ? null : (
        <>
          <dt>{t('Commit')}</dt>
          <dd>
            <code>{details.commit.slice(0, 10)}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

export function Notes({ featureId, notes }: Pick<PanelDetails, 'featureId' | 'notes'>) {
  return (
    <section>
      <h3 className="with-act">
        {t('Notes')}
        <IconButton icon="add" label={t('Add a note')} onPress={() => post({ kind: 'addNote', featureId })} />
      </h3>
      {notes.length === 0 ? (
        <p className="muted">{t('No notes yet.')}</p>
      ) : (
        <ul className="plain">
          {notes.map((note) => (
            <li key={note.id} className="note">
              <p className="muted">{authorLabel(note)}</p>
              <p className="prose">{visible(note.content)}</p>
              <p className="muted">
                {note.file === null ? null : (
                  <>
                    <code>
                      {visible(note.file)}
                      {note.line === null ? '' : `:${note.line}`}
                    </code>{' '}
                  </>
                )}
                {localTime(note.createdAt)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Session = PanelDetails['sessions'][number];

function SessionLine({ session }: { readonly session: Session }) {
  const { startedAt, endedAt, workedMs, inputTokens, outputTokens, costUsd } = session;
  const handedOver = handoverFact(session);
  const facts = [
    localTime(startedAt),
    ...(endedAt === null ? [] : [duration(workedMs)]),
    plural(session.turns, { one: '{0} turn', other: '{0} turns' }),
    ...(inputTokens === null ? [] : [t('{0} tokens', count(inputTokens + (outputTokens ?? 0)))]),
    ...(costUsd === null ? [] : [usd(costUsd)]),
    ...(handedOver === null ? [] : [handedOver]),
  ];
  const { id, executor } = session;
  const agent = usePage(({ view }) => (executor === BUILT_IN ? '' : agentTitle(view?.agents, executor)));
  return (
    <li className="session">
      <p>
        <span>{roleLabel(session.role)}</span>{' '}
        <span className="muted">
          {agent === '' ? '' : `${agent} · `}
          {visible(session.model)}
        </span>
        <IconButton
          icon="output"
          label={t('Transcript of session {0}', id)}
          onPress={() => post({ kind: 'openTranscript', sessionId: id })}
        />
      </p>
      <p className="muted">{facts.join(' · ')}</p>
      {session.error === null ? null : <p className="bad">{visible(session.error)}</p>}
    </li>
  );
}

export function Sessions({ sessions }: Pick<PanelDetails, 'sessions'>) {
  if (sessions.length === 0) return null;
  return (
    <section>
      <h3>{t('Sessions')}</h3>
      <ul className="plain">
        {sessions.toReversed().map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </ul>
    </section>
  );
}
