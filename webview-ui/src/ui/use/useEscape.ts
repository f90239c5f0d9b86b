/** Closes a pane with Escape. */
import { type RefObject, useEffect, useRef } from 'react';
import { isTyping } from '../keys.ts';

/** Escape closes from wherever the focus is, but for what has its own use of it: a drag, a dialog, a field, an open list. */
export function useEscape(pane: RefObject<HTMLElement | null>, close: () => void) {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Escape' || document.querySelector('.dragged, dialog[open], vscode-single-select[open]')) return;
      if (isTyping(target) && !pane.current?.contains(target as Node)) return;
      latest.current();
    };
    // Captured before other listeners: a drag that the key ends would already have ended.
    window.addEventListener('keydown', pressed, { capture: true });
    return () => window.removeEventListener('keydown', pressed, { capture: true });
  }, [pane]);
}
