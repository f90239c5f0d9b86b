/** How often something may be done: so many a second, and twice as many at once after a rest. */
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
