/** Asks which provider answers the model calls of new jobs. */
import * as vscode from 'vscode';
import type { ProviderName } from '../../shared/model/models.ts';
import { setting } from '../settings/read.ts';

export async function chooseProvider(): Promise<void> {
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
    ...(item.name === present ? { description: vscode.l10n.t('current') } : {}),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Which provider answers the model calls of new jobs?'),
  });
  if (picked === undefined || (picked.name === 'vscode-lm' && !(await choosesLanguageModel()))) return;
  await vscode.workspace
    .getConfiguration('autonomous')
    .update('provider', picked.name, vscode.ConfigurationTarget.Global);
}

async function choosesLanguageModel(): Promise<boolean> {
  const { chooseLanguageModel } = await import('../model/choose.ts');
  return chooseLanguageModel();
}
