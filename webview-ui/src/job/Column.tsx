/** One lane of the board with its cards. */
import { useDroppable } from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { memo, useMemo } from 'react';
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import type { UiState } from '../store/uiState.ts';
import { Badge } from '../ui/Badge.tsx';
import { Icon } from '../ui/Icon.tsx';
import { visible } from '../ui/text/format.ts';
import { useSame } from '../ui/use/useSame.ts';
import { useWindowed } from '../ui/use/useWindowed.ts';
import { Card } from './card/Card.tsx';
import { type LaneLook, laneRows } from './lanes.ts';
import { canMove } from './moves.ts';

const ROW_ESTIMATE = 76;
const MARGIN = 5 * ROW_ESTIMATE;

/** Scrolling renders the column at every frame. Memoized, so that shown cards are not rendered again. */
const StillCard = memo(Card);

const MovableCard = memo(function MovableCard({ card }: { readonly card: PanelCard }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: card.id,
    data: { card },
  });
  return (
    <div
      ref={setNodeRef}
      className={isDragging ? 'dragged' : undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <Card card={card} grip={{ attributes, listeners, setHandle: setActivatorNodeRef }} />
    </div>
  );
});

interface ColumnProps {
  readonly look: LaneLook;
  readonly cards: readonly PanelCard[];
  readonly groupBy: UiState['groupBy'];
  /** Whether a dragged card hovers over the column and a drop would change something. */
  readonly accepting: boolean;
  /** Shows only the name, upright: the column is empty, and no card can be dropped on it. */
  readonly slim: boolean;
}

/** One lane. Only the visible cards are in the page, and only those can be dragged over. */
export function Column({ look, cards: given, groupBy, accepting, slim }: ColumnProps) {
  const { lane, title, icon } = look;
  const cards = useSame(given);
  const rows = useMemo(() => laneRows(cards, groupBy), [cards, groupBy]);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const { scroller, parts, row: measured } = useWindowed(keys, { estimate: ROW_ESTIMATE, margin: MARGIN });
  const { setNodeRef } = useDroppable({ id: `lane-${lane}`, data: { lane } });
  const ids = useSame(
    parts.flatMap((part) => {
      const row = part.kind === 'row' ? rows[part.index] : undefined;
      return row?.kind === 'card' && canMove(row.card) ? [row.card.id] : [];
    }),
  );
  return (
    <section
      className={`column${accepting ? ' accepting' : ''}${slim ? ' slim' : ''}`}
      ref={setNodeRef}
      aria-label={title}
    >
      <header className={`column-head lane-${lane}`}>
        <Icon name={icon} />
        <h2>{title}</h2>
        <Badge count={cards.length} />
      </header>
      <div className="column-scroll" ref={scroller}>
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          <ul className="column-list">
            {parts.map((part) => {
              if (part.kind === 'space') {
                return <li key={`space-${part.before}`} aria-hidden="true" style={{ height: part.height }} />;
              }
              const row = rows[part.index];
              if (row === undefined) return null;
              return (
                <li key={row.key} className="column-row" data-row={row.key} ref={measured}>
                  {row.kind === 'group' ? (
                    <h3 className="group">
                      <span className="one-line">{visible(row.title)}</span> {row.size}
                    </h3>
                  ) : canMove(row.card) ? (
                    <MovableCard card={row.card} />
                  ) : (
                    <StillCard card={row.card} />
                  )}
                </li>
              );
            })}
          </ul>
        </SortableContext>
      </div>
    </section>
  );
}
