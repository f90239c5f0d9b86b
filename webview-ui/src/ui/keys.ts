/** Keyboard navigation of the board, as an alternative to dragging. */
import type { KeyboardEvent } from 'react';

const FIELDS = 'input, textarea, vscode-single-select';

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

const cardsIn = (column: Element) => [...column.querySelectorAll<HTMLElement>('[data-card]')];

/** The card at the same height in the next column that has any. */
function across(from: HTMLElement, column: Element, step: 1 | -1): HTMLElement | undefined {
  const columns = [...document.querySelectorAll('.column')];
  const middle = (element: HTMLElement) => {
    const { top, bottom } = element.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const height = middle(from);
  for (let at = columns.indexOf(column) + step; at >= 0 && at < columns.length; at += step) {
    const next = columns[at];
    const [first, ...rest] = next === undefined ? [] : cardsIn(next);
    if (first === undefined) continue;
    return rest.reduce(
      (nearest, card) => (Math.abs(middle(card) - height) < Math.abs(middle(nearest) - height) ? card : nearest),
      first,
    );
  }
  return undefined;
}

function target(from: HTMLElement, key: string): HTMLElement | undefined {
  const column = from.closest('.column');
  if (column === null) return undefined;
  const own = cardsIn(column);
  const at = own.indexOf(from);
  switch (key) {
    case 'ArrowDown':
      return own[at + 1];
    case 'ArrowUp':
      return own[at - 1];
    case 'ArrowLeft':
      return across(from, column, -1);
    case 'ArrowRight':
      return across(from, column, 1);
    default:
      return undefined;
  }
}

/** The arrow keys move from card to card. Other focused elements keep their own arrow keys. */
export function stepThroughCards(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target;
  if (!(from instanceof HTMLElement) || from.dataset['card'] === undefined) return;
  const to = target(from, event.key);
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
