/** The card of a feature. */
import type { DraggableAttributes, DraggableSyntheticListeners } from '@dnd-kit/core';
import type { PanelCard } from '../../../../src/shared/workspace/panel.ts';
import { AgentTag } from '../../agent/AgentTag.tsx';
import { whyNotChosen } from '../../agent/agentFacts.ts';
import { chooseAgents } from '../../agent/choose.ts';
import { RouteTag } from '../../agent/RouteTag.tsx';
import { goToQuestion } from '../../approval/goToQuestion.ts';
import { post } from '../../store/bridge.ts';
import { plural, t } from '../../store/l10n.ts';
import { look, usePage } from '../../store/store.ts';
import { IconButton, Link } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { duration, usd, visible } from '../../ui/text/format.ts';
import { apart } from '../../ui/text/waitFacts.ts';
import { useNow } from '../../ui/use/useNow.ts';
import { WaitLine } from '../../ui/WaitLine.tsx';
import { TodoLine } from '../Todo.tsx';
import { PlaceLine } from './PlaceLine.tsx';

/** Drag handles that the board passes to a card. */
export interface Grip {
  readonly attributes: DraggableAttributes;
  readonly listeners: DraggableSyntheticListeners;
  readonly setHandle: (element: HTMLElement | null) => void;
}

/** The current activity of a running card, and its duration. */
export function LiveState({ card }: { readonly card: PanelCard }) {
  return card.startedAt === null ? null : <Running card={card} since={card.startedAt} />;
}

function Running({ card, since }: { readonly card: PanelCard; readonly since: string }) {
  const job = usePage(({ view }) => view?.jobs.find(({ id }) => id === card.jobId));
  const waiting = apart(job?.waiting ?? null);
  if (job?.still === true) return <NotRunning />;
  if (waiting !== null && job !== undefined) {
    return <WaitLine waiting={waiting} of="job" id={job.id} describes={visible(card.name)} />;
  }
  return <AtWork card={card} since={since} />;
}

function NotRunning() {
  return (
    <p className="card-live">
      <Icon name="debug-pause" />
      <span>{t('Not running')}</span>
    </p>
  );
}

function AtWork({ card, since }: { readonly card: PanelCard; readonly since: string }) {
  const line = usePage((page) => page.live.get(card.id));
  const now = useNow(true);
  const says = line === undefined ? t('Working') : visible(line.text);
  return (
    <p className="card-live">
      <Icon name="loading" spin />
      <span className="one-line" title={says}>
        {says}
      </span>
      <span className="elapsed">{duration(now - Date.parse(since))}</span>
    </p>
  );
}

const retriesOf = (card: PanelCard) => t('{0} of {1} retries used', card.retries, card.maxRetries);
const notesOf = (card: PanelCard) => plural(card.notes, { one: '{0} note', other: '{0} notes' });

/** The meaning of the marks below the name, as a tooltip. */
function tooltip(card: PanelCard): string {
  return [
    visible(card.name),
    ...(card.phaseTitle === null ? [] : [t('Phase {0}: {1}', card.phaseNumber ?? '', visible(card.phaseTitle))]),
    ...(card.retries === 0 ? [] : [retriesOf(card)]),
    ...(card.notes === 0 ? [] : [notesOf(card)]),
  ].join('\n');
}

function Facts({ card }: { readonly card: PanelCard }) {
  const category = visible(card.category);
  return (
    <p className="card-facts">
      <span className="tag" title={category}>
        {category}
      </span>
      <AgentTag card={card} />
      {card.route === undefined ? null : <RouteTag route={card.route} />}
      {card.phaseNumber === null ? null : <span>{t('Phase {0}', card.phaseNumber)}</span>}
      {card.retries === 0 ? null : (
        <span>
          <Icon name="refresh" />
          {card.retries}/{card.maxRetries}
          <span className="unseen">{retriesOf(card)}</span>
        </span>
      )}
      {card.notes === 0 ? null : (
        <span>
          <Icon name="note" />
          <span aria-hidden="true">{card.notes}</span>
          <span className="unseen">{notesOf(card)}</span>
        </span>
      )}
      {card.costUsd === 0 ? null : <span className="cost">{usd(card.costUsd)}</span>}
    </p>
  );
}

/** The question about the feature, as a link. Candidates are picked in its details, which compare them. */
function Asked({ card }: { readonly card: PanelCard }) {
  const asked = usePage((page) => page.view?.approvals.find(({ id }) => id === card.approvalId));
  if (card.approvalId === null || asked === undefined) return null;
  const isPick = asked.kind === 'pick';
  return (
    <div className="card-actions">
      <Link
        label={isPick ? t('Compare Results') : t('Show Question')}
        describes={visible(card.name)}
        onPress={() => (isPick ? look({ selected: card.id }) : goToQuestion(asked))}
      />
    </div>
  );
}

interface CardProps {
  readonly card: PanelCard;
  readonly grip?: Grip | undefined;
}

export function Card({ card, grip }: CardProps) {
  const selected = usePage((page) => page.ui.selected === card.id);
  const why = card.held ?? (card.lane === 'failed' ? card.failureReason : null);
  const name = visible(card.name);
  const canChoose = usePage(({ view }) => whyNotChosen(card, view?.jobs ?? []) === '');
  return (
    <article className={`card lane-${card.lane}${selected ? ' selected' : ''}`} {...grip?.listeners}>
      <div className="card-head">
        <button
          type="button"
          className="card-open"
          data-card={card.id}
          aria-pressed={selected}
          title={tooltip(card)}
          onClick={() => look({ selected: card.id })}
        >
          <span className="card-name">{name}</span>
        </button>
        {card.lane === 'failed' && card.jobId !== null ? (
          <IconButton
            icon="refresh"
            label={t('Retry {0}', name)}
            onPress={() => post({ kind: 'retryFeature', featureId: card.id })}
          />
        ) : null}
        {canChoose ? (
          <IconButton
            icon="hubot"
            className="choose"
            label={t('Choose an agent for {0}', name)}
            onPress={() => chooseAgents(card)}
          />
        ) : null}
        {grip === undefined ? null : (
          <button
            type="button"
            className="icon-button grip"
            ref={grip.setHandle}
            {...grip.attributes}
            {...grip.listeners}
            aria-label={t('Move {0}', name)}
            title={t('Drag, or press Space and the arrow keys')}
          >
            <Icon name="gripper" />
          </button>
        )}
      </div>
      <Facts card={card} />
      <PlaceLine place={card.place} />
      <LiveState card={card} />
      <TodoLine todo={card.todo} />
      {why === null ? null : <p className="card-why">{visible(why)}</p>}
      <Asked card={card} />
    </article>
  );
}
