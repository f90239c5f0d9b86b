/** Reports stop signals of this process, and ends it in time whatever still holds it open. */
import type { Clock } from '../../shared/clock.ts';
import type { TerminalDeps } from '../../terminal/screen/world.ts';

/** The used part of `process`. */
export interface StoppedProcess {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  on(signal: 'SIGINT' | 'SIGTERM', run: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', run: () => void): unknown;
  exit(code?: number): unknown;
}

/**
 * Milliseconds from the first stop signal until the process exits, even if something hangs: users are promised five seconds.
 * Nothing acknowledged is lost then, because an event is synced before it is acknowledged.
 */
export const END_MS = 4_500;

export function stopSignals(clock: Clock, of: StoppedProcess = process): TerminalDeps['signals'] {
  const stops = new Set<() => void>();
  let unread = false;
  let ending = false;
  const endInTime = (): void => {
    if (ending) return;
    ending = true;
    clock.timer(END_MS, () => {
      of.stderr.write('autonomous: stopped without waiting any longer; everything that was committed is kept\n');
      of.exit(1);
    });
  };
  // `autonomous … | head` closes the output: later output is lost.
  const failed = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    if (unread) return;
    unread = true;
    for (const stop of stops) stop();
  };
  for (const stream of [of.stdout, of.stderr]) stream.on('error', failed);
  return {
    onStop(run) {
      let times = 0;
      const stop = (): void => {
        endInTime();
        run(++times);
      };
      of.on('SIGINT', stop);
      of.on('SIGTERM', stop);
      stops.add(stop);
      if (unread) stop();
      return () => {
        of.off('SIGINT', stop);
        of.off('SIGTERM', stop);
        stops.delete(stop);
      };
    },
  };
}

/** Exits once the output is written, even if a socket of a proxy that never answered is still open. */
export function endProcess(code: number, of: StoppedProcess = process): void {
  of.stdout.write('', () => of.stderr.write('', () => of.exit(code)));
}
