/** Watches whether running work still gives signs of life. */
import type { Clock } from '../../shared/clock.ts';
import { Stopwatch } from '../session/stopwatch.ts';

export interface SilenceWatch {
  /** Records a sign of life. */
  sign(): void;
  stop(): void;
}

/** Limit for an agent without a sign of life while it is not waiting for the engine. */
export const AGENT_SILENCE_MS = 15 * 60_000;

/**
 * Calls `fallen` once, if there was no sign for `ms` of awake time. Time in which `busy` is true does not count, because the current work gives no
 * signs.
 */
export function watchSilence(
  clock: Clock,
  { ms, busy, fallen }: { readonly ms: number; busy(): boolean; fallen(): void },
): SilenceWatch {
  const silence = new Stopwatch(clock);
  let cancel: () => void = () => undefined;
  const look = (): void => {
    if (busy()) silence.reset();
    const left = ms - silence.ms;
    if (left > 0) {
      cancel = clock.timer(Math.min(left, ms / 4), look);
      return;
    }
    silence.stop();
    fallen();
  };
  silence.start();
  cancel = clock.timer(ms / 4, look);
  return {
    sign: () => silence.reset(),
    stop: () => {
      silence.stop();
      cancel();
    },
  };
}
