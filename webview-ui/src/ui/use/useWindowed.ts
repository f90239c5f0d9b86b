/**
 * A long list of which only the visible rows are in the page. The browser lays them out, and keeps the visible content in place when rows above it
 * get another height. Nothing is measured before the first paint: a library that measures needed 415 ms instead of 246 for the first paint of 1,000
 * cards.
 */
import { useEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type WindowPart, windowParts } from './windowed.ts';

interface View {
  readonly top: number;
  readonly height: number;
}

interface Windowed {
  /** Assumed height of a row that was not measured. Px. */
  readonly estimate: number;
  /** The room above and below what is in sight in which rows are in the page too. Px. */
  readonly margin: number;
  /** Index of a row that is always in the page. */
  readonly always?: number;
}

/** Share of the window's height that a list is assumed to have before it is laid out. */
const FIRST_SHARE = 0.75;

/** Calls `changed` when the height of an observed row changes. */
function rowSizes(changed: () => void) {
  const known = new Map<string, number>();
  const observer = new ResizeObserver((entries) => {
    let isNew = false;
    for (const { target, borderBoxSize } of entries) {
      const key = (target as HTMLElement).dataset['row'];
      const size = borderBoxSize[0]?.blockSize;
      if (key === undefined || size === undefined || size === 0 || known.get(key) === size) continue;
      known.set(key, size);
      isNew = true;
    }
    if (isNew) changed();
  });
  const observe = (row: HTMLElement | null) => {
    if (row === null) return;
    observer.observe(row);
    return () => observer.unobserve(row);
  };
  return { known, observe };
}

/** `keys` are those of all rows. Each row has its key as `data-row`, and `row` as its ref. */
export function useWindowed(keys: readonly string[], { estimate, margin, always = -1 }: Windowed) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View | null>(null);
  const [, again] = useReducer((times: number) => times + 1, 0);
  const [{ known, observe }] = useState(() => rowSizes(again));
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const look = () => {
      // Whole rows, so that the list is not rendered again for each pixel.
      const top = Math.floor(current.scrollTop / estimate) * estimate;
      const { clientHeight: height } = current;
      setView((before) => (before?.top === top && before.height === height ? before : { top, height }));
    };
    const scrolled = () => flushSync(look);
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', scrolled);
    };
  }, [estimate]);
  const { top, height } = view ?? { top: 0, height: window.innerHeight * FIRST_SHARE };
  const room = view === null ? 0 : margin + estimate;
  const parts: readonly WindowPart[] = windowParts({
    count: keys.length,
    sizeOf: (index) => known.get(keys[index] ?? '') ?? estimate,
    from: top - room,
    to: top + height + room,
    always,
  });
  return { scroller, parts, row: observe };
}
