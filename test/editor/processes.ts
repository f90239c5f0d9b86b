/** Processes of the tests in VS Code, by their id. */
import { errnoOf } from '../../src/shared/errors.ts';

/** Returns false if there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (thrown) {
    if (errnoOf(thrown) === 'ESRCH') return false;
    throw thrown;
  }
}

export const isAlive = (pid: number): boolean => signal(pid, 0);

/** As a crash does; nothing if it has ended. */
export const killProcess = (pid: number): void => void signal(pid, 'SIGKILL');
