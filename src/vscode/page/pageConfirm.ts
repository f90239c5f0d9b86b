/** Confirms requests of a page that may cost more than was granted. The dialog belongs to the editor, so that no page can press its button. */
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

/** Asks whether to grant the feature new attempts. The feature must exist. */
export function confirmRetry(state: State, featureId: number): Promise<boolean> {
  const { name, status } = need(state, 'features', featureId);
  const detail =
    status === 'failed'
      ? vscode.l10n.t(
          'This feature used all its attempts. Retrying grants the same number again, within the budget of its job.',
        )
      : vscode.l10n.t('The feature becomes pending again. This uses one of its attempts.');
  return confirmed(vscode.l10n.t('Try "{0}" again?', name), detail, vscode.l10n.t('Try Again'));
}

/** Asks whether these agents should work on the feature, which must exist. The agents of its job were granted before and need no dialog. */
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
