/** Whether something that should go on still gives a sign of life. */
import type { Clock } from '../../shared/clock.ts';
import { Stopwatch } from '../session/stopwatch.ts';

export interface SilenceWatch {
  /** It gave a sign. */
  sign(): void;
  stop(): void;
}

/** Of an agent, without a sign while nothing that it waits for is ours. */
export const AGENT_SILENCE_MS = 15 * 60_000;

/** `fallen` is called once, when there was no sign for `ms` of awake time while it was not `busy` with what gives none. */
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
