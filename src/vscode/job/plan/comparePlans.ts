/** Compares two versions of a job's plan in the editor's diff. */
import * as vscode from 'vscode';
import type { JobRow, PlanRow } from '../../../shared/job/rows.ts';
import type { HostContext } from '../../window/context.ts';
import { planUri } from '../../words/planUri.ts';

function writer(by: PlanRow['by']): string {
  switch (by) {
    case 'planner':
      return vscode.l10n.t('by the planner');
    case 'steward':
      return vscode.l10n.t('by the steward');
    case 'backlog':
      return vscode.l10n.t('from the backlog');
  }
}

export async function comparePlans(context: HostContext, job: JobRow): Promise<void> {
  const rows = [...context.engine.state.plans.values()].filter((row) => row.job_id === job.id);
  if (rows.length < 2) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The plan has only one version.'));
    return;
  }
  const items = rows
    .filter((row) => row.version < job.plan_version)
    .sort((a, b) => b.version - a.version)
    .map((row) => ({
      label: vscode.l10n.t('Version {0}', row.version),
      description: writer(row.by),
      detail: new Date(row.at).toLocaleString(),
      version: row.version,
    }));
  const title = vscode.l10n.t('Compare version {0} with', job.plan_version);
  const older = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (older === undefined) return;
  const names = vscode.l10n.t('Plan {0} ↔ {1}: {2}', older.version, job.plan_version, job.title);
  await vscode.commands.executeCommand(
    'vscode.diff',
    planUri(job.id, older.version),
    planUri(job.id, job.plan_version),
    names,
  );
}
