/** What mends that nothing can be worked on here: offered beside whatever names the hindrance. */
import * as vscode from 'vscode';
import type { Mend } from '../../shared/workspace/panel.ts';
import { plainWords } from '../words/plainWords.ts';
import type { Hindrance } from './folder.ts';
import { hindranceText } from './folder.ts';

const COMMANDS: Readonly<Record<Mend, string>> = {
  openFolder: 'workbench.action.files.openFolder',
  manageTrust: 'workbench.trust.manage',
  chooseFolder: 'autonomous.chooseFolder',
  reloadBoard: 'autonomous.reloadBoard',
  takeOver: 'autonomous.takeOver',
  restoreState: 'autonomous.restoreState',
};

/** null: nothing that can be pressed here. */
export function mendOf(hindrance: Hindrance): Mend | null {
  switch (hindrance) {
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

function mendTitle(mend: Mend): string {
  switch (mend) {
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

export async function runMend(mend: Mend): Promise<void> {
  await vscode.commands.executeCommand(COMMANDS[mend]);
}

/** Says what stands in the way, or `text`, with the button that mends it. */
export async function offerMend(hindrance: Hindrance, text = hindranceText(hindrance)): Promise<void> {
  const mend = mendOf(hindrance);
  const titles = mend === null ? [] : [mendTitle(mend)];
  const pressed = await vscode.window.showWarningMessage(plainWords(text), ...titles);
  if (mend !== null && pressed !== undefined) await runMend(mend);
}
