/** Signals to processes. */
import { errnoOf } from '../../../shared/errors.ts';

/** Sends SIGKILL; no error if the process has ended or belongs to another user. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  }
}
