/** Commands about this window: the board, the folder, the key, the provider, whose workspace it is. */
import * as vscode from 'vscode';
import type { ProviderName } from '../../shared/domain.ts';
import type { HostContext } from '../context.ts';
import { chooseFolder } from '../engine/folder.ts';
import { askForKey } from '../engine/key.ts';
import { registerCommands } from '../report.ts';
import { setting } from '../settings/read.ts';
import { given } from '../stewardship/command.ts';
import type { World } from '../world.ts';

export function registerWindowCommands({ extension, log }: HostContext, world: World): vscode.Disposable {
  const { handle, key, views } = world;
  return registerCommands(log, {
    'autonomous.openBoard': async (target) => {
      const [featureId, jobId] = [given(target, 'featureId'), given(target, 'jobId')];
      if (featureId !== undefined) views.focus(Number(featureId));
      else if (typeof jobId === 'string') views.job(jobId);
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
    'autonomous.restoreState': async () => restoreState(handle),
  });
}

async function restoreState(handle: World['handle']): Promise<void> {
  if (handle.hindrance !== 'incomplete') {
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
