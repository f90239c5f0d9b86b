/** What asks this process to stop: a signal, or that nobody reads its output any more. */
import type { TerminalDeps } from '../terminal/deps.ts';

export function stopSignals(): TerminalDeps['signals'] {
  const stops = new Set<() => void>();
  let unread = false;
  // As `autonomous … | head` leaves it: what is written from here on goes nowhere.
  const failed = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    if (unread) return;
    unread = true;
    for (const stop of stops) stop();
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', failed);
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
