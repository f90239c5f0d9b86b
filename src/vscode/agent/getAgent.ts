/** An agent that cannot be started as things are: how to get it. Nothing is installed by us. */
import * as vscode from 'vscode';
import type { LookedAgent } from '../../engine/workspace/workspace.ts';
import { plainWords } from '../words/plainWords.ts';
import { stateName } from './agentWords.ts';

type Way = 'copy' | 'terminal' | 'read' | 'choose';

/** Whether the user chooses the agent although it is not ready. */
export async function offerToGet({ probe, entry: { install, url } }: LookedAgent): Promise<boolean> {
  const command = oneLine(install);
  const ways: readonly (vscode.QuickPickItem & { readonly way: Way })[] = [
    { way: 'copy', label: vscode.l10n.t('$(copy) Copy how to install it'), detail: command },
    {
      way: 'terminal',
      label: vscode.l10n.t('$(terminal) Type it into a terminal'),
      detail: vscode.l10n.t('Nothing runs before you press Enter there.'),
    },
    { way: 'read', label: vscode.l10n.t('$(book) Read about it'), detail: url },
    {
      way: 'choose',
      label: vscode.l10n.t('$(check) Choose it anyway'),
      detail: vscode.l10n.t('The job asks you when it is its turn.'),
    },
  ];
  const fits = (way: Way): boolean =>
    way === 'read' || way === 'choose' || (probe.state === 'missing' && (way === 'copy' || !/^see\s/i.test(command)));
  const picked = await vscode.window.showQuickPick(
    ways.filter(({ way }) => fits(way)),
    {
      title: plainWords(`${probe.title}: ${stateName(probe.state)}`),
      placeHolder: plainWords(probe.state === 'missing' || probe.fix === '' ? probe.detail : probe.fix),
      ignoreFocusOut: true,
    },
  );
  switch (picked?.way) {
    case 'copy':
      await vscode.env.clipboard.writeText(command);
      void vscode.window.showInformationMessage(plainWords(vscode.l10n.t('Copied: {0}', command)));
      return false;
    case 'terminal': {
      const terminal = vscode.window.createTerminal(vscode.l10n.t('Install {0}', plainWords(probe.title)));
      terminal.show();
      terminal.sendText(command, false);
      return false;
    }
    case 'read':
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
      return false;
    case 'choose':
      return true;
    case undefined:
      return false;
  }
}

/** Line breaks and other control characters would act as key presses in the terminal. */
function oneLine(text: string): string {
  return (text.trim().split(/[\r\n\u2028\u2029]/, 1)[0] ?? '').replaceAll(/\p{Cc}/gu, ' ').trim();
}
