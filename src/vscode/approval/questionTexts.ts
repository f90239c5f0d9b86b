/** The whole text of a question as a read-only document. */
import * as vscode from 'vscode';
import { questionKey } from '../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { HostContext } from '../window/context.ts';

const SCHEME = 'autonomous-question';

export function registerQuestionTexts({ engine }: HostContext): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => {
      const row = [...engine.state.approvals.values()].find((one) => questionKey(one) === query);
      return row?.detail ?? vscode.l10n.t('This text is no longer available. Request it again.');
    },
  });
}

/** In front of the person, as commands of a shell. */
export async function showWhole(asked: ApprovalRow): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/question-${asked.id}.sh`, query: questionKey(asked) });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
}
