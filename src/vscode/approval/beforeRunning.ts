/** Shows everything that would run on the user's machine, to read or tick before approval. */
import * as vscode from 'vscode';
import { askedOf } from '../../core/approval/about.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import { plainWords } from '../words/plainWords.ts';
import { showWhole } from './questionTexts.ts';

/** Lines that fit into a dialog: the dialogs of some systems cannot be scrolled. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 1_500;

/** Whether the user was shown every line of the commands and agreed to run them. */
export async function commandsRead(approval: ApprovalRow): Promise<boolean> {
  const { kind, question, detail } = approval;
  if (kind !== 'command' && kind !== 'setup') return true;
  const go = askedOf(approval).of === 'failedSetup' ? vscode.l10n.t('Continue') : vscode.l10n.t('Run');
  if (detail.split('\n').length <= MOST_LINES && detail.length <= MOST_CHARACTERS) {
    const pressed = await vscode.window.showWarningMessage(
      plainWords(question),
      { modal: true, detail: plainWords(detail) },
      go,
    );
    return pressed === go;
  }
  await showWhole(approval);
  const text = vscode.l10n.t('{0} The whole text is in the editor in front of you.', question);
  return (await vscode.window.showWarningMessage(plainWords(text), go)) === go;
}

/** Whether the user was shown what a project will be able to read, and agreed. */
export async function folderTrusted({ kind, question, detail }: ApprovalRow): Promise<boolean> {
  if (kind !== 'workdir') return true;
  const trust = vscode.l10n.t('Trust');
  const shown = { modal: true, detail: plainWords(detail) };
  return (await vscode.window.showWarningMessage(plainWords(question), shown, trust)) === trust;
}

/** Whether a person ticked every file that would run on this machine. */
export async function executablesTicked({ executables, question }: ApprovalRow): Promise<boolean> {
  if (executables.length === 0) return true;
  const ticked = await vscode.window.showQuickPick(
    executables.map((path) => ({ label: path })),
    {
      title: question,
      placeHolder: vscode.l10n.t('These files may run on your machine after the merge. Tick each that you looked at.'),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (ticked === undefined) return false;
  const taken = new Set(ticked.map(({ label }) => label));
  const left = executables.filter((path) => !taken.has(path));
  if (left.length === 0) return true;
  void vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('Not approved. May run on your machine, and was not ticked: {0}', left.join(', '))),
  );
  return false;
}
