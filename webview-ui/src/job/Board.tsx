/** The columns, and all dragging: only the column file knows the details of it. */
import {
  type Active,
  type Announcements,
  closestCorners,
  DndContext,
  DragOverlay,
  KeyboardSensor,
  type Over,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Lane } from '../../../src/shared/job/place.ts';
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import type { UiState } from '../store/uiState.ts';
import { visible } from '../ui/text/format.ts';
import { Column } from './Column.tsx';
import { Card } from './card/Card.tsx';
import { LANES } from './lanes.ts';
import { type Drop, dropped } from './moves.ts';

const NO_CARDS: readonly PanelCard[] = [];

const cardOf = (end: Active | Over | null): PanelCard | null =>
  (end?.data.current?.['card'] as PanelCard | undefined) ?? null;

const laneOf = (over: Over | null): Lane | null =>
  cardOf(over)?.lane ?? (over?.data.current?.['lane'] as Lane | undefined) ?? null;

function dropOf(active: Active, over: Over | null): Drop {
  const card = cardOf(active);
  // The card was deleted, started or finished during the drag, so that it cannot be moved.
  if (card === null) return { request: null, says: t('It can no longer be moved. Nothing changes.') };
  if (over === null) return { request: null, says: t('Nothing changes.') };
  const target = cardOf(over);
  return dropped(card, target === null ? { lane: over.data.current?.['lane'] as Lane } : { card: target });
}

const ANNOUNCEMENTS: Announcements = {
  onDragStart: ({ active }) => t('Picked up {0}.', visible(cardOf(active)?.name ?? '')),
  onDragOver: ({ active, over }) => t('If dropped here: {0}', visible(dropOf(active, over).says)),
  onDragEnd: ({ active, over }) => t('Dropped. {0}', visible(dropOf(active, over).says)),
  onDragCancel: () => t('Cancelled. Nothing changes.'),
};

const INSTRUCTIONS = {
  draggable: t(
    'Press Space to pick up the card, the arrow keys to move it, Space to drop it, Escape to cancel. A pending card can be reordered within its phase; a failed card dropped on Pending is tried again.',
  ),
};

interface BoardProps {
  readonly cards: readonly PanelCard[];
  readonly groupBy: UiState['groupBy'];
  readonly selected: UiState['selected'];
}

/** Scrolls the chosen card into view, because its details take room beside the board. */
function useInSight(selected: UiState['selected']) {
  const board = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const open = selected === null ? null : board.current?.querySelector(`[data-card="${selected}"]`);
    open?.closest('.card')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
  return board;
}

export function Board({ cards, groupBy, selected }: BoardProps) {
  const [moving, setMoving] = useState<PanelCard | null>(null);
  const [says, setSays] = useState('');
  /** The lane under the card, if a drop there changes something. */
  const [accepting, setAccepting] = useState<Lane | null>(null);
  const lanes = useMemo(() => Map.groupBy(cards, (card) => card.lane), [cards]);
  const board = useInSight(selected);
  const end = () => {
    setMoving(null);
    setAccepting(null);
  };
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCorners}
      accessibility={{ announcements: ANNOUNCEMENTS, screenReaderInstructions: INSTRUCTIONS }}
      onDragStart={({ active }) => {
        setSays('');
        setMoving(cardOf(active));
      }}
      onDragOver={({ active, over }) => {
        const drop = dropOf(active, over);
        setSays(drop.says);
        setAccepting(drop.request === null ? null : laneOf(over));
      }}
      onDragCancel={end}
      onDragEnd={({ active, over }) => {
        end();
        const { request } = dropOf(active, over);
        if (request) post(request);
      }}
    >
      <div className="board" ref={board}>
        {LANES.map((look) => (
          <Column
            key={look.lane}
            look={look}
            cards={lanes.get(look.lane) ?? NO_CARDS}
            groupBy={groupBy}
            accepting={accepting === look.lane}
            slim={!lanes.has(look.lane) && !(look.lane === 'pending' && lanes.has('failed'))}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {moving === null ? null : <Card card={moving} />}
        {moving === null || says === '' ? null : (
          <p className="drag-says" aria-hidden>
            {visible(says)}
          </p>
        )}
      </DragOverlay>
    </DndContext>
  );
}
