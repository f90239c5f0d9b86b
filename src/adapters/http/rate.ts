/** Limits a rate: a number per second, and a burst of twice as many after a pause. */
import type { Clock } from '../../shared/clock.ts';

export function rate(clock: Clock, perSecond: number): () => boolean {
  let left = 2 * perSecond;
  let at = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    left = Math.min(2 * perSecond, left + ((now - at) / 1_000) * perSecond);
    at = now;
    if (left < 1) return false;
    left--;
    return true;
  };
}
