/** The reader's position in a thread: at its end, new messages scroll into view and count as seen; further up, the position stays. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ConversationView } from '../../../../src/shared/project/projectView.ts';
import { post } from '../../store/bridge.ts';

/** From the end, px. */
const NEAR = 48;

interface ScrollPosition {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly atEnd: boolean;
  toEnd(): void;
}

const isNear = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR;

/** Returns the new scroll position in px. */
function movedToEnd(scroller: HTMLElement): number {
  scroller.scrollTop = scroller.scrollHeight;
  return scroller.scrollTop;
}

/** Keeps the first visible message in place when earlier ones are added above it. */
function useStillWhenEarlierCome(scroller: RefObject<HTMLElement | null>, first: number | undefined): void {
  const before = useRef({ first, height: 0, top: 0 });
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const { first: was, height, top } = before.current;
    if (was !== undefined && first !== undefined && first < was)
      current.scrollTop = top + current.scrollHeight - height;
    const note = () => {
      before.current = { first, height: current.scrollHeight, top: current.scrollTop };
    };
    note();
    current.addEventListener('scroll', note, { passive: true });
    return () => current.removeEventListener('scroll', note);
  });
}

export function useThread(messages: readonly { readonly id: number }[]): ScrollPosition {
  const scroller = useRef<HTMLElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  /** Scroll position after the last move to the end. Px. */
  const end = useRef(0);
  const toEnd = useCallback(() => {
    const { current } = scroller;
    if (current !== null) end.current = movedToEnd(current);
    setAtEnd(true);
  }, []);
  useStillWhenEarlierCome(scroller, messages[0]?.id);
  const last = messages.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what moves it
  useLayoutEffect(() => {
    if (atEnd) toEnd();
  }, [last, atEnd, toEnd]);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const scrolled = () => setAtEnd(isNear(current));
    // Messages below the viewport get their real height when they come near. The end of the content moves.
    const grown = new ResizeObserver(() => {
      // The reader may have scrolled up a moment ago, and the event of it has not come yet.
      const stays = current.scrollTop >= end.current || isNear(current);
      if (current.dataset['end'] === 'true' && stays) end.current = movedToEnd(current);
    });
    current.addEventListener('scroll', scrolled, { passive: true });
    grown.observe(current);
    if (current.firstElementChild !== null) grown.observe(current.firstElementChild);
    return () => {
      current.removeEventListener('scroll', scrolled);
      grown.disconnect();
    };
  }, []);
  return { scroller, atEnd, toEnd };
}

/** Marks messages as read in the host: each once, and only while the page is visible. */
export function useMarkRead(
  { project, messages }: Pick<ConversationView, 'project' | 'messages'>,
  seen: boolean,
): void {
  const told = useRef(0);
  const unread = messages.findLast(({ direction, read_at }) => direction === 'out' && read_at === null)?.id ?? 0;
  useEffect(() => {
    const tell = () => {
      if (!seen || unread <= told.current || document.visibilityState !== 'visible') return;
      told.current = unread;
      post({ kind: 'markRead', project, upTo: unread });
    };
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => document.removeEventListener('visibilitychange', tell);
  }, [project, unread, seen]);
}
