/** Whether something that should go on still gives a sign of life. */
import type { Clock } from '../shared/clock.ts';

export interface SilenceWatch {
  /** It gave a sign. */
  sign(): void;
  stop(): void;
}

/** `fallen` is called once, when there was no sign for `ms` while it was not `busy` with what gives none. */
export function watchSilence(
  clock: Clock,
  { ms, busy, fallen }: { readonly ms: number; busy(): boolean; fallen(): void },
): SilenceWatch {
  let last = clock.monotonic();
  let cancel: () => void = () => undefined;
  const look = (): void => {
    if (busy()) last = clock.monotonic();
    const left = last + ms - clock.monotonic();
    if (left <= 0) fallen();
    else cancel = clock.timer(Math.min(left, ms / 4), look);
  };
  cancel = clock.timer(ms / 4, look);
  return {
    sign: () => {
      last = clock.monotonic();
    },
    stop: () => cancel(),
  };
}
