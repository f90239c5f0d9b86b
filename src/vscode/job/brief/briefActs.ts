/** Carries out the commands of a brief. The window loads this file with the first of them. */
import * as vscode from 'vscode';
import { failure } from '../../../shared/errors.ts';
import { DEFAULT_PROJECT } from '../../../shared/project/projects.ts';
import { given } from '../../window/command.ts';
import type { HostContext } from '../../window/context.ts';
import type { SavedOptions } from '../savedOptions.ts';
import type { BriefOptions } from './briefOptions.ts';
import { isBrief } from './briefUri.ts';
import { exampleBrief } from './placeholder.ts';

/** The initial text of a new brief. */
export async function beginning(target: unknown): Promise<string> {
  const text = given(target, 'text');
  if (typeof text === 'string') return text;
  if (target instanceof vscode.Uri && !isBrief(target) && target.scheme === 'file') {
    return (await vscode.workspace.openTextDocument(target)).getText();
  }
  return selected();
}

function selected(): string {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? '' : editor.document.getText(editor.selection);
}

/** The brief stays in the project that was current when it was opened, unless the user changes it. */
export async function openBrief(
  text: string,
  open: readonly vscode.Uri[],
  options: SavedOptions,
  project: string,
): Promise<void> {
  const taken = new Set(open.map((uri) => uri.path));
  let number = 1;
  // With a slash in front: without it the editor finds no backup of it after a reload.
  while (taken.has(`/${number}.brief.md`)) number++;
  const uri = vscode.Uri.from({ scheme: 'untitled', path: `/${number}.brief.md` });
  const document = await vscode.workspace.openTextDocument(uri);
  // The stored options belong to an earlier brief with this name. A document may be closed by a reload, so that closing deletes nothing.
  if (document.getText() === '') await options.drop(uri.path);
  if (project !== DEFAULT_PROJECT) await options.keep(uri.path, { ...options.of(uri.path), project });
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (text !== '') await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
}

export async function insertExample(document: vscode.TextDocument): Promise<void> {
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), exampleBrief()));
}

/** Closes the document once the job is filed. If filing fails, the document stays unchanged. */
export async function start(context: HostContext, document: vscode.TextDocument, chosen: BriefOptions): Promise<void> {
  const brief = document.getText();
  if (brief.trim() === '') {
    throw failure('BRIEF_EMPTY', vscode.l10n.t('The brief is empty.'), {
      hint: vscode.l10n.t('Say what should be done.'),
    });
  }
  if (brief.trim() === exampleBrief()) {
    throw failure('BRIEF_EMPTY', vscode.l10n.t('The brief is still the example.'), {
      hint: vscode.l10n.t('Change the text to what should be done.'),
    });
  }
  const title = vscode.l10n.t('Filing the brief');
  const { jobId } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    context.engine.request('submitBrief', { brief, ...chosen }),
  );
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('autonomous.openBoard', { jobId });
}
