/** Follows new owners: a terminal or another window may start to run the jobs of this window's folder at any time. */
import * as vscode from 'vscode';
import type { Clock } from '../../../shared/clock.ts';
import type { WorkspaceEngine } from '../handle.ts';

const SHORTEST_MS = 2_000;
const LONGEST_MS = 300_000;

/**
 * Checks for a new owner every two seconds, and less often while that fails. A file watcher would miss an owner that starts before the
 * watcher does, and every owner if the system has no watchers left or reports no changes, as on some network drives.
 */
export function followOwners(handle: Pick<WorkspaceEngine, 'followOwner'>, clock: Clock): vscode.Disposable {
  let isEnded = false;
  let cancel = (): void => undefined;
  const wait = (ms: number): void => {
    if (!isEnded) cancel = clock.timer(ms, () => void check(ms));
  };
  const check = async (waited: number): Promise<void> => {
    const hasWorked = await handle.followOwner();
    wait(hasWorked ? SHORTEST_MS : Math.min(2 * waited, LONGEST_MS));
  };
  wait(SHORTEST_MS);
  return new vscode.Disposable(() => {
    isEnded = true;
    cancel();
  });
}
