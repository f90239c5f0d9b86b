/** Lets the user choose one of the editor's language models, and requests access to it while the user can still consent. */
import * as vscode from 'vscode';
import { plainWords } from '../words/plainWords.ts';
import { nameOfModel } from './models.ts';
import { type Refusal, refusalOf } from './refusals.ts';

/** Writes the setting; false when nothing was chosen, there is nothing to choose, or its use was not allowed. */
export async function chooseLanguageModel(): Promise<boolean> {
  const models = await vscode.lm.selectChatModels({});
  if (models.length === 0) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'The editor has no language models. Sign in to GitHub Copilot, or install another provider of models.',
      ),
    );
    return false;
  }
  const picked = await vscode.window.showQuickPick(
    models.map((model) => ({ label: model.name, description: nameOfModel(model), model })),
    { title: vscode.l10n.t('Which language model of the editor?'), matchOnDescription: true, ignoreFocusOut: true },
  );
  if (picked === undefined || !(await isAllowed(picked.model))) return false;
  await vscode.workspace
    .getConfiguration('autonomous')
    .update('models.editor', nameOfModel(picked.model), vscode.ConfigurationTarget.Global);
  return true;
}

/** The editor asks for consent with the first request, and only after an action of the user: make that request now, not while the user is away. */
async function isAllowed(model: vscode.LanguageModelChat): Promise<boolean> {
  const source = new vscode.CancellationTokenSource();
  try {
    const asked = [vscode.LanguageModelChatMessage.User('Answer with OK.')];
    await model.sendRequest(
      asked,
      { justification: vscode.l10n.t('Autonomous carries out your briefs with it.') },
      source.token,
    );
    return true;
  } catch (thrown) {
    void vscode.window.showWarningMessage(plainWords(refusedText(refusalOf(thrown), model.name)));
    return false;
  } finally {
    source.cancel();
    source.dispose();
  }
}

function refusedText(refusal: Refusal, name: string): string {
  if ('failure' in refusal && refusal.failure.code === 'KEY_REFUSED') {
    return vscode.l10n.t('Autonomous was not allowed to use {0}. Run Choose Provider again to allow it.', name);
  }
  const why = 'failure' in refusal ? refusal.failure.message : refusal.message;
  return vscode.l10n.t('{0} did not answer: {1}. The provider stays as it was.', name, why);
}
