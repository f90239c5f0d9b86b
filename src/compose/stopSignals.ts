/** What asks this process to stop: a signal, or that nobody reads its output any more. */
import type { TerminalDeps } from '../terminal/deps.ts';

/** As `autonomous … | head` leaves it: nothing is thrown, what is written goes nowhere, and `then` is called once. */
function whenUnread(streams: readonly NodeJS.WriteStream[], then: () => void): void {
  let told = false;
  const failed = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    if (!told) then();
    told = true;
  };
  for (const stream of streams) stream.on('error', failed);
}

export function stopSignals(): TerminalDeps['signals'] {
  const stops = new Set<() => void>();
  let unread = false;
  whenUnread([process.stdout, process.stderr], () => {
    unread = true;
    for (const stop of stops) stop();
  });
  return {
    onStop(run) {
      let times = 0;
      const stop = (): void => run(++times);
      process.on('SIGINT', stop);
      process.on('SIGTERM', stop);
      stops.add(stop);
      if (unread) stop();
      return () => {
        process.off('SIGINT', stop);
        process.off('SIGTERM', stop);
        stops.delete(stop);
      };
    },
  };
}
