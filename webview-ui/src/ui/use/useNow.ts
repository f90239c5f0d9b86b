/** One tick a second for all that shows elapsed time: none while nothing does, and none while the page is hidden. */
import { useEffect, useState, useSyncExternalStore } from 'react';

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  now = Date.now();
  for (const notify of listeners) notify();
}

/** Starts or stops the one timer, as is needed. */
function settle(): void {
  const wanted = listeners.size > 0 && !document.hidden;
  if (wanted === (timer !== undefined)) return;
  clearInterval(timer);
  timer = wanted ? setInterval(tick, TICK_MS) : undefined;
  if (wanted) tick();
}

function follow(notify: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', settle);
  listeners.add(notify);
  settle();
  return () => {
    listeners.delete(notify);
    settle();
    if (listeners.size === 0) document.removeEventListener('visibilitychange', settle);
  };
}

const still = (): (() => void) => () => undefined;

/** Epoch milliseconds, new each second while `ticking`. */
export function useNow(ticking: boolean): number {
  return useSyncExternalStore(ticking ? follow : still, () => now);
}

/** Maximum delay of a timer: 2^31 - 1 ms. */
const LONGEST_MS = 2_147_483_647;

/** Epoch milliseconds, new when the next of `moments` has come. Costs no tick before. */
export function useNowAt(...moments: readonly number[]): number {
  const [seen, setSeen] = useState(() => Date.now());
  const next = Math.min(...moments.filter((moment) => moment > seen));
  useEffect(() => {
    if (!Number.isFinite(next)) return;
    const due = setTimeout(() => setSeen(Date.now()), Math.min(next - Date.now(), LONGEST_MS));
    return () => clearTimeout(due);
  }, [next]);
  return seen;
}
