/** Opens what the demo built: its guide, which the last merge put into the working tree. */
import * as vscode from 'vscode';
import { failure } from '../../shared/errors.ts';
import type { HostContext } from '../window/context.ts';

const GUIDE = 'README.md';
const PREVIEW = 'markdown.showPreview';

export async function openBuilt({ engine: { projectDir } }: HostContext): Promise<void> {
  if (projectDir === null) throw failure('NOT_FOUND', vscode.l10n.t('No folder is open.'));
  const guide = vscode.Uri.joinPath(vscode.Uri.file(projectDir), GUIDE);
  // VS Code for the web may come without its Markdown extension.
  const canPreview = (await vscode.commands.getCommands(true)).includes(PREVIEW);
  await vscode.commands.executeCommand(canPreview ? PREVIEW : 'vscode.open', guide);
}
