/** Files a job for the features that belong to no job, after the user confirmed it. */
import * as vscode from 'vscode';
import { nextBacklog } from '../../../core/job/plan/backlog.ts';
import type { HostContext } from '../../window/context.ts';
import { plainWords } from '../../words/plainWords.ts';

export async function runBacklog({ engine }: HostContext): Promise<void> {
  await engine.open();
  // Throws if the backlog is empty, so that the reason is shown instead of a question.
  const { length } = nextBacklog(engine.state);
  const run = vscode.l10n.t('Run Backlog');
  const detail = vscode.l10n.t(
    'Features without a job: {0}. One job implements them in their order, with the gates and limits of your settings. A reviewer checks the testing steps of each feature.',
    length,
  );
  const shown = { modal: true, detail: plainWords(detail) };
  if ((await vscode.window.showInformationMessage(vscode.l10n.t('Run the backlog?'), shown, run)) !== run) return;
  const title = vscode.l10n.t('Filing the job');
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    engine.request('submitBrief', { backlog: true }),
  );
  await vscode.commands.executeCommand('autonomous.openBoard');
}
