/** Scrolls to a question in the list of questions. */
import { useEffect, useRef } from 'react';
import type { PanelApproval } from '../../../src/shared/workspace/panel.ts';
import { look, usePage } from '../store/store.ts';

/** Details that cover the page, or replace the sidebar's list, hide the questions. */
const COVERS = '.details.alone';

/** Opens the question, or the one whose answer also settles it, in the list of questions and focuses it. */
export function goToQuestion({ id, settledBy }: Pick<PanelApproval, 'id' | 'settledBy'>): void {
  usePage.setState({ ledTo: settledBy ?? id });
  look({ tab: 'board', ...(document.querySelector(COVERS) === null ? {} : { selected: null }) });
}

/** Calls `open` when the reader is led to this question. Returns the ref of the element to focus. */
export function useLed(id: number, open: () => void) {
  const line = useRef<HTMLElement>(null);
  const led = usePage(({ ledTo }) => ledTo === id);
  if (led) open();
  useEffect(() => {
    if (!led) return;
    const { current } = line;
    for (let part = current?.closest('details'); part; part = part.parentElement?.closest('details')) part.open = true;
    current?.scrollIntoView({ block: 'nearest' });
    current?.focus();
    usePage.setState({ ledTo: null });
  }, [led]);
  return line;
}
