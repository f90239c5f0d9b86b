/** Shows an edit of PROJECT.md as a diff: the definition in force and the file on disk. */
import * as vscode from 'vscode';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { HostContext } from '../window/context.ts';
import { blockedBy } from '../window/folder.ts';

const SCHEME = 'autonomous-definition';

export function registerDefinitionDiffs({ engine }: HostContext): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => {
      const { project } = JSON.parse(query) as { readonly project: string };
      return engine.files.definition(project);
    },
  });
}

export async function showDefinitionDiff({ engine }: HostContext, { id, project_id }: ApprovalRow): Promise<void> {
  const { projectDir } = engine;
  if (projectDir === null) throw blockedBy('no_folder');
  // The question's number makes the editor read the definition again for each question.
  const query = JSON.stringify({ project: project_id, question: id });
  const before = vscode.Uri.from({ scheme: SCHEME, path: `/${project_id}/PROJECT.md`, query });
  const after = vscode.Uri.joinPath(vscode.Uri.file(projectDir), '.autonomous', 'projects', project_id, 'PROJECT.md');
  const title = vscode.l10n.t('PROJECT.md of {0}: in force ↔ your edit', project_id);
  await vscode.commands.executeCommand('vscode.diff', before, after, title);
}
