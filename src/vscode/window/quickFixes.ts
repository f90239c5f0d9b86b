/** Quick fixes for blockers, offered next to each text that names one. */
import * as vscode from 'vscode';
import type { QuickFix } from '../../shared/workspace/panel.ts';
import { plainWords } from '../words/plainWords.ts';
import type { Blocker } from './folder.ts';
import { blockerText } from './folder.ts';

const COMMANDS: Readonly<Record<QuickFix, string>> = {
  openFolder: 'workbench.action.files.openFolder',
  manageTrust: 'workbench.trust.manage',
  chooseFolder: 'autonomous.chooseFolder',
  reloadBoard: 'autonomous.reloadBoard',
  takeOver: 'autonomous.takeOver',
  restoreState: 'autonomous.restoreState',
};

/** Returns null if no button here can fix it. */
export function quickFixOf(blocker: Blocker): QuickFix | null {
  switch (blocker) {
    case 'no_folder':
    case 'virtual':
      return 'openFolder';
    case 'untrusted':
      return 'manageTrust';
    case 'not_chosen':
      return 'chooseFolder';
    case 'foreign':
    case 'unreadable':
      return 'reloadBoard';
    case 'incomplete':
      return 'restoreState';
    case 'newer':
      return null;
  }
}

function quickFixTitle(quickFix: QuickFix): string {
  switch (quickFix) {
    case 'openFolder':
      return vscode.l10n.t('Open Folder');
    case 'manageTrust':
      return vscode.l10n.t('Manage Trust');
    case 'chooseFolder':
      return vscode.l10n.t('Choose Folder');
    case 'reloadBoard':
      return vscode.l10n.t('Reload Board');
    case 'takeOver':
      return vscode.l10n.t('Take Over');
    case 'restoreState':
      return vscode.l10n.t('Restore Lost State…');
  }
}

export async function applyQuickFix(quickFix: QuickFix): Promise<void> {
  await vscode.commands.executeCommand(COMMANDS[quickFix]);
}

/** Shows the blocker, or `text`, with a button that fixes it. */
export async function offerQuickFix(blocker: Blocker, text = blockerText(blocker)): Promise<void> {
  const quickFix = quickFixOf(blocker);
  const titles = quickFix === null ? [] : [quickFixTitle(quickFix)];
  const pressed = await vscode.window.showWarningMessage(plainWords(text), ...titles);
  if (quickFix !== null && pressed !== undefined) await applyQuickFix(quickFix);
}
