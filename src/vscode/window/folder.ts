/** The folder that this window works in: the only one, or the one that was chosen among several. */
import * as vscode from 'vscode';
import { type AutonomousError, failure, type PlainFailure } from '../../shared/errors.ts';

/** States that are not resumed: written by another installation or a newer version, unreadable, or with a log that lost its end. */
const STATE_BLOCKERS = ['foreign', 'newer', 'unreadable', 'incomplete'] as const;

/** Why this window has no engine: a property of its folder, or of the state in the folder. */
export const BLOCKERS = ['untrusted', 'no_folder', 'virtual', 'not_chosen', ...STATE_BLOCKERS] as const;

export type StateBlocker = (typeof STATE_BLOCKERS)[number];

export type Blocker = (typeof BLOCKERS)[number];

const CHOSEN = 'autonomous.folder';

export interface WorkFolder {
  readonly uri: vscode.Uri | null;
  readonly blocker: Blocker | null;
}

const localFolders = (): readonly vscode.WorkspaceFolder[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');

function chosenOf(
  local: readonly vscode.WorkspaceFolder[],
  memory: vscode.Memento,
): vscode.WorkspaceFolder | undefined {
  const chosen = memory.get<string>(CHOSEN);
  return local.length === 1 ? local[0] : local.find((one) => one.uri.toString() === chosen);
}

/** The name of the folder that this window works in. Null if the window has one folder, or none is chosen. */
export function chosenName(memory: vscode.Memento): string | null {
  const local = localFolders();
  return local.length < 2 ? null : (chosenOf(local, memory)?.name ?? null);
}

/** Checks trust last: a missing folder needs no trust. */
export function workFolder(memory: vscode.Memento): WorkFolder {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return { uri: null, blocker: 'no_folder' };
  const local = localFolders();
  if (local.length === 0) return { uri: null, blocker: 'virtual' };
  const uri = chosenOf(local, memory)?.uri;
  if (uri === undefined) return { uri: null, blocker: 'not_chosen' };
  return { uri, blocker: vscode.workspace.isTrusted ? null : 'untrusted' };
}

/** Asks which of several folders to work in, and remembers it for this workspace. Returns false if dismissed. */
export async function chooseFolder(memory: vscode.Memento): Promise<boolean> {
  const items = localFolders().map(({ name, uri }) => ({ label: name, description: uri.fsPath, uri }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which folder should Autonomous work in?'),
    // The command continues after the answer: do not dismiss when another window takes the focus.
    ignoreFocusOut: true,
  });
  if (picked === undefined) return false;
  await memory.update(CHOSEN, picked.uri.toString());
  return true;
}

/** The refusal to run anything in this window. `blockerIn` reads the blocker back. */
export function blockedBy(blocker: Blocker): AutonomousError {
  return failure('NOT_PERMITTED', blockerText(blocker), { details: { blocker } });
}

/** Returns null if the failure has another cause. */
export function blockerIn({ code, details }: Pick<PlainFailure, 'code' | 'details'>): Blocker | null {
  if (code !== 'NOT_PERMITTED') return null;
  return BLOCKERS.find((one) => one === details['blocker']) ?? null;
}

export function blockerText(blocker: Blocker): string {
  switch (blocker) {
    case 'untrusted':
      return vscode.l10n.t('This folder is in Restricted Mode: Autonomous shows its state and runs nothing.');
    case 'no_folder':
      return vscode.l10n.t('Open a folder with a git repository first.');
    case 'virtual':
      return vscode.l10n.t('Autonomous needs a folder on this machine: it runs git and commands there.');
    case 'not_chosen':
      return vscode.l10n.t('This workspace has several folders: choose the one to work in.');
    case 'foreign':
      return vscode.l10n.t(
        'The folder .autonomous was not written by this installation: it is shown read-only. To work here, move it away and reload the board.',
      );
    case 'newer':
      return vscode.l10n.t(
        'The folder .autonomous was written by a newer version of Autonomous. It is shown read-only. Update Autonomous to continue.',
      );
    case 'incomplete':
      return vscode.l10n.t(
        'The event log in .autonomous/events lost its end, perhaps by a partial backup. Nothing runs until you put its files back or restore the lost state.',
      );
    case 'unreadable':
      return vscode.l10n.t('The folder .autonomous cannot be read (see the log). Move it away, then reload the board.');
  }
}
