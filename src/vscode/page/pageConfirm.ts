/** What a page asks for and may cost more than was granted: a person says yes to it in the editor, where no page can press. */
import * as vscode from 'vscode';
import { need } from '../../core/state/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { agentName } from '../agent/agentWords.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';

async function confirmed(question: string, detail: string, go: string): Promise<boolean> {
  const shown = { modal: true, detail: plainWords(detail) };
  return (await vscode.window.showWarningMessage(plainWords(question), shown, go)) === go;
}

/** Whether the feature, which must be there, is to get tries anew. */
export function confirmRetry(state: State, featureId: number): Promise<boolean> {
  const { name, status } = need(state, 'features', featureId);
  const detail =
    status === 'failed'
      ? vscode.l10n.t('It used up its tries. It is given as many anew, within the budget of its job.')
      : vscode.l10n.t('It waits again, and one of its tries is used.');
  return confirmed(vscode.l10n.t('Try "{0}" again?', name), detail, vscode.l10n.t('Try Again'));
}

/** Whether these are to work on the feature, which must be there. As its job says is what was granted already. */
export async function confirmAgents(
  { engine, agents }: HostContext,
  featureId: number,
  executors: readonly string[] | null,
): Promise<boolean> {
  const { name } = need(engine.state, 'features', featureId);
  if (executors === null) return true;
  const names = executors.map((one) => agentName(agents, one)).join(', ');
  return confirmed(
    vscode.l10n.t('Give "{0}" to: {1}?', name, names),
    vscode.l10n.t('Each works at its own cost, within the budget of its job.'),
    vscode.l10n.t('Choose'),
  );
}
