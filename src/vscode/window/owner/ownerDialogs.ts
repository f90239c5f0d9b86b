/** Asks before this window becomes the owner in an unusual way: by force, or with a state whose log lost its end. */
import * as vscode from 'vscode';
import type { World } from '../world.ts';

export async function restoreState(handle: World['handle']): Promise<void> {
  if (handle.blocker !== 'incomplete') {
    void vscode.window.showInformationMessage(vscode.l10n.t('No state is lost in this folder.'));
    return;
  }
  const restore = vscode.l10n.t('Restore');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Restore the lost state?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The jobs, tasks and messages that the database still holds are taken over. A copy of the database is kept beside it. If you have a full backup of .autonomous/events, cancel and put its files back instead.',
      ),
    },
    restore,
  );
  if (answer === restore) await handle.restoreState();
}

export async function takeOver(handle: World['handle']): Promise<void> {
  const take = vscode.l10n.t('Take Over');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Take over this workspace?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Take over only if the other window or terminal is not responding. Its process and running commands will be terminated. Extensions in that window must be restarted.',
      ),
    },
    take,
  );
  if (answer === take) await handle.takeOver();
}
