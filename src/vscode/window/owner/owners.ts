/** Follows new owners: a terminal or another window may start to run the jobs of this window's folder at any time. */
import * as vscode from 'vscode';
import type { Clock } from '../../../shared/clock.ts';
import { asFailure } from '../../../shared/errors.ts';
import type { WorkspaceEngine } from '../handle.ts';

const SHORTEST_MS = 2_000;
const LONGEST_MS = 300_000;

/**
 * Asks again and again. A file watcher would miss an owner that starts before the watcher does, and every owner if the system has no
 * watchers left or reports no changes, as on many network drives.
 */
export function followOwners(
  handle: Pick<WorkspaceEngine, 'followOwner'>,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<vscode.LogOutputChannel, 'debug'> },
): vscode.Disposable {
  let isEnded = false;
  let cancel = (): void => undefined;
  const wait = (ms: number): void => {
    if (!isEnded) cancel = clock.timer(ms, () => void ask(ms));
  };
  const ask = async (waited: number): Promise<void> => {
    let began = false;
    try {
      began = await handle.followOwner();
    } catch (thrown) {
      // The look of the window has logged it as an error.
      log.debug(asFailure(thrown).message);
    }
    // An owner that this window started, and that failed, counts as a new one: it is not tried again every few seconds.
    wait(began ? Math.min(2 * waited, LONGEST_MS) : SHORTEST_MS);
  };
  wait(SHORTEST_MS);
  return new vscode.Disposable(() => {
    isEnded = true;
    cancel();
  });
}
