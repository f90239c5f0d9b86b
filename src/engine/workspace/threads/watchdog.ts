/** Detects a thread that no longer answers. A blocked thread can neither be stopped gracefully nor waited for. */
import type { Clock } from '../../../shared/clock.ts';
import type { ProjectThread } from '../../project/threadPorts.ts';

const EVERY_MS = 15_000;
/** Far above the delay that a large file or a starved machine causes. */
const PATIENCE_MS = 60_000;

/** Pings the thread periodically and terminates it if it does not answer. Returns a function that stops the watchdog. */
export function watchThread(thread: Pick<ProjectThread, 'ping' | 'kill' | 'patienceMs'>, clock: Clock): () => void {
  const { patienceMs = PATIENCE_MS } = thread;
  let over = false;
  let cancel = (): void => undefined;
  const arm = (ms: number, run: () => void): void => {
    cancel();
    if (!over) cancel = clock.timer(ms, run);
  };
  const ask = (): void => {
    // Two halves: an owner that was busy itself first receives the answers that arrived meanwhile.
    arm(patienceMs / 2, () => arm(patienceMs / 2, () => thread.kill(`it did not answer for ${patienceMs / 1000} s`)));
    void thread.ping().then(() => arm(EVERY_MS, ask));
  };
  arm(EVERY_MS, ask);
  return () => {
    over = true;
    cancel();
  };
}
