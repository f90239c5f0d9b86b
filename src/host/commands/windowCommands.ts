/** Commands about this window: the board, the folder, the key, the provider, whose workspace it is. */
import * as vscode from 'vscode';
import type { ProviderName } from '../../shared/domain.ts';
import type { HostContext } from '../context.ts';
import { chooseFolder } from '../engine/folder.ts';
import { askForKey } from '../engine/key.ts';
import { registerCommands } from '../report.ts';
import { setting } from '../settings/read.ts';
import type { World } from '../world.ts';

export function registerWindowCommands({ extension, log }: HostContext, world: World): vscode.Disposable {
  const { handle, key, views } = world;
  return registerCommands(log, {
    'autonomous.openBoard': async (target) => {
      if (typeof target === 'object' && target !== null && 'featureId' in target) views.focus(Number(target.featureId));
      else views.openBoard();
    },
    'autonomous.reloadBoard': async () => {
      views.reload();
      await handle.begin();
    },
    'autonomous.chooseFolder': async () => {
      if (await chooseFolder(extension.workspaceState)) await handle.restart();
    },
    'autonomous.setApiKey': async () => askForKey(key),
    'autonomous.chooseProvider': chooseProvider,
    'autonomous.takeOver': async () => {
      const take = vscode.l10n.t('Take Over');
      const answer = await vscode.window.showWarningMessage(
        vscode.l10n.t('Take over this workspace?'),
        {
          modal: true,
          detail: vscode.l10n.t(
            'Do this when the window or terminal that owns it hangs. Its process and the commands it runs are ended first; a window loses its extensions until they are restarted.',
          ),
        },
        take,
      );
      if (answer === take) await handle.takeOver();
    },
  });
}

async function chooseProvider(): Promise<void> {
  const present = setting.provider();
  const choices: readonly (vscode.QuickPickItem & { readonly name: ProviderName })[] = [
    {
      name: 'anthropic',
      label: vscode.l10n.t('Anthropic'),
      detail: vscode.l10n.t('The Messages API, with your key. Costs real money.'),
    },
    {
      name: 'simulated',
      label: vscode.l10n.t('Simulated'),
      detail: vscode.l10n.t('No key, no cost: to see how Autonomous works.'),
    },
    {
      name: 'vscode-lm',
      label: vscode.l10n.t('Models of the editor'),
      detail: vscode.l10n.t('For instance those of Copilot: no prices, so calls and tokens are limited instead.'),
    },
  ];
  const items = choices.map((item) => ({
    ...item,
    ...(item.name === present ? { description: vscode.l10n.t('present choice') } : {}),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Who answers the model calls of new jobs?'),
  });
  if (picked === undefined || (picked.name === 'vscode-lm' && !(await choosesLanguageModel()))) return;
  await vscode.workspace
    .getConfiguration('autonomous')
    .update('provider', picked.name, vscode.ConfigurationTarget.Global);
}

async function choosesLanguageModel(): Promise<boolean> {
  const { chooseLanguageModel } = await import('../languageModel/choose.ts');
  return chooseLanguageModel();
}
