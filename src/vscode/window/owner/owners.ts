/** Follows new owners: a terminal or another window that becomes the owner creates a file in `.autonomous/events`. */
import * as vscode from 'vscode';
import type { WorkspaceEngine } from '../handle.ts';

const EVENTS = '.autonomous/events';
/** Includes the folders: the watcher does not report files that a new folder already contains. An owner listens before it creates a file. */
const MADE = `{.autonomous,${EVENTS},${EVENTS}/*}`;

/** VS Code already watches the workspace. The top of the repository above it is too large to watch for one folder. */
function patternFor(projectDir: string): vscode.RelativePattern {
  const top = vscode.Uri.file(projectDir);
  return vscode.workspace.getWorkspaceFolder(top) === undefined
    ? new vscode.RelativePattern(vscode.Uri.joinPath(top, EVENTS), '*')
    : new vscode.RelativePattern(top, MADE);
}

/** Watches the current folder of the window, which may change. */
export function followOwners(handle: WorkspaceEngine): vscode.Disposable {
  let watched: string | null = null;
  let watcher: vscode.FileSystemWatcher | null = null;
  const watch = (): void => {
    const { projectDir } = handle;
    if (projectDir === watched) return;
    watched = projectDir;
    watcher?.dispose();
    watcher = null;
    if (projectDir === null) return;
    watcher = vscode.workspace.createFileSystemWatcher(patternFor(projectDir), false, true, true);
    watcher.onDidCreate(() => handle.begin());
  };
  watch();
  return vscode.Disposable.from(handle.onDidChange(watch), { dispose: () => watcher?.dispose() });
}
