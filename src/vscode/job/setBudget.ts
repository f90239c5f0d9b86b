/** Changes the budget of a job. A job that stopped because its budget was used up resumes; a paused job stays paused. */
import * as vscode from 'vscode';
import { need } from '../../core/state/rows.ts';
import type { HostContext } from '../window/context.ts';

export async function setBudget({ engine }: HostContext, jobId: string): Promise<void> {
  const job = need(engine.state, 'jobs', jobId);
  const now = job.options.budgetMicroUsd;
  const typed = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Budget of "{0}"', job.title),
    prompt: vscode.l10n.t('Total limit for this job, in USD. Empty or 0: no job limit.'),
    value: now === null ? '' : String(now / 1e6),
    validateInput: (text) =>
      /^\s*(\d+(\.\d{1,6})?)?\s*$/.test(text) ? null : vscode.l10n.t('Type an amount, e.g. 12.50.'),
  });
  if (typed === undefined) return;
  // As in the settings, 0 means no limit.
  const budgetMicroUsd = Math.round(Number(typed) * 1e6) || null;
  await engine.request('setBudget', { jobId, budgetMicroUsd });
}
