import type { DraggableAttributes, DraggableSyntheticListeners } from '@dnd-kit/core';
import type { PanelCard } from '../../../src/shared/panelView.ts';
import { post } from '../bridge.ts';
import { duration, usd, visible } from '../format.ts';
import { look, usePage } from '../store.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useNow } from '../useNow.ts';

/** What the board gives a card that can be dragged. */
export interface Grip {
  readonly attributes: DraggableAttributes;
  readonly listeners: DraggableSyntheticListeners;
  readonly setHandle: (element: HTMLElement | null) => void;
}

/** What a running card does right now, and for how long. */
export function LiveState({ card }: { readonly card: PanelCard }) {
  const line = usePage((page) => page.live.get(card.id));
  const now = useNow(card.startedAt !== null);
  if (card.startedAt === null) return null;
  return (
    <p className="card-live">
      <Icon name="loading" spin />
      <span className="one-line">{visible(line?.text ?? 'Working')}</span>
      <span className="elapsed">{duration(now - Date.parse(card.startedAt))}</span>
    </p>
  );
}

function Facts({ card }: { readonly card: PanelCard }) {
  return (
    <p className="card-facts">
      <span className="tag">{visible(card.category)}</span>
      {card.phaseNumber === null ? null : <span title={visible(card.phaseTitle ?? '')}>Phase {card.phaseNumber}</span>}
      {card.retries === 0 ? null : (
        <span title={`${card.retries} of ${card.maxRetries} retries used`}>
          <Icon name="refresh" />
          {card.retries}/{card.maxRetries}
        </span>
      )}
      {card.notes === 0 ? null : (
        <span title={`${card.notes} notes`}>
          <Icon name="note" />
          {card.notes}
        </span>
      )}
      {card.costUsd === 0 ? null : <span className="cost">{usd(card.costUsd)}</span>}
    </p>
  );
}

function Actions({ card }: { readonly card: PanelCard }) {
  const { approvalId } = card;
  const asked = usePage((page) => page.view?.approvals.find((approval) => approval.id === approvalId));
  if (approvalId === null) return null;
  const name = visible(card.name);
  return (
    <div className="card-actions">
      {asked === undefined ? null : <p className="card-why">{visible(asked.question)}</p>}
      <Button
        label="Approve"
        describes={name}
        onPress={() => post({ kind: 'approve', approvalId, choice: null, feedback: null })}
      />
      <Button secondary label="Reject…" describes={name} onPress={() => post({ kind: 'reject', approvalId })} />
    </div>
  );
}

export function Card({ card, grip }: { readonly card: PanelCard; readonly grip?: Grip | undefined }) {
  const selected = usePage((page) => page.ui.selected === card.id);
  const why = card.held ?? (card.lane === 'failed' ? card.failureReason : null);
  const name = visible(card.name);
  return (
    <article className={`card lane-${card.lane}${selected ? ' selected' : ''}`} {...grip?.listeners}>
      <div className="card-head">
        <button
          type="button"
          className="card-open"
          data-card={card.id}
          aria-pressed={selected}
          onClick={() => look({ selected: card.id })}
        >
          {name}
        </button>
        {card.lane === 'failed' && card.jobId !== null ? (
          <IconButton
            icon="refresh"
            label={`Retry ${name}`}
            onPress={() => post({ kind: 'retryFeature', featureId: card.id })}
          />
        ) : null}
        {grip === undefined ? null : (
          <button
            type="button"
            className="icon-button grip"
            ref={grip.setHandle}
            {...grip.attributes}
            {...grip.listeners}
            aria-label={`Move ${name}`}
            title="Drag, or press Space and the arrow keys"
          >
            <Icon name="gripper" />
          </button>
        )}
      </div>
      <Facts card={card} />
      <LiveState card={card} />
      {why === null ? null : <p className="card-why">{visible(why)}</p>}
      <Actions card={card} />
    </article>
  );
}
