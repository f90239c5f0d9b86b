/** Offers WSL on Windows, where the commands of agents run in no sandbox. */
import * as vscode from 'vscode';
import { setting } from '../settings/read.ts';

const EXTENSION = 'ms-vscode-remote.remote-wsl';
const OFFERED = 'autonomous.wslOffered';

/** Asks once on each machine. Does nothing on other systems, in a remote window, or if the user wants no sandbox. */
export async function offerWsl({ globalState }: Pick<vscode.ExtensionContext, 'globalState'>): Promise<void> {
  const isNative = process.platform === 'win32' && vscode.env.remoteName === undefined;
  if (!isNative || !setting.confine() || globalState.get(OFFERED) === true) return;
  await globalState.update(OFFERED, true);
  const reopen = vscode.l10n.t('Reopen in WSL');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'On Windows, Autonomous asks you before each command of an agent. In WSL 2, commands run in a sandbox without asking.',
    ),
    reopen,
    vscode.l10n.t('Continue Here'),
  );
  if (chosen === reopen) await reopenInWsl();
}

/** Opens this folder in WSL. Without the extension for it, shows that in the Extensions view. */
export async function reopenInWsl(): Promise<void> {
  if (vscode.extensions.getExtension(EXTENSION) !== undefined) {
    await vscode.commands.executeCommand('remote-wsl.reopenInWSL');
    return;
  }
  await vscode.commands.executeCommand('workbench.extensions.search', `@id:${EXTENSION}`);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Install the extension WSL and a distribution (wsl --install), then run Reopen in WSL again.'),
  );
}
