/** The plan: shown as a page at the plan gate, edited as a YAML document, saved as a new version, accepted from its title. */
import * as vscode from 'vscode';
import { pendingApprovals, planAsked } from '../../../core/approval/stewardship.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { DEFAULT_PROJECT } from '../../../shared/project/projects.ts';
import { given, registerCommand, withErrorMessage } from '../../window/command.ts';
import type { HostContext } from '../../window/context.ts';
import type { Pages } from '../../window/pages.ts';
import { planFileOf, planUri } from '../../words/planUri.ts';
import { planFiles } from './planFiles.ts';

/** The pages that can show a plan. */
/** The commands take a job's id, `{jobId}`, a plan's document, or nothing: then they ask. */
export function registerPlan(context: HostContext, views: Pick<Pages, 'plan'>): vscode.Disposable {
  const files = planFiles(context);
  const faults = vscode.languages.createDiagnosticCollection('autonomous.plan');
  const check = (document: vscode.TextDocument): void => {
    if (planFileOf(document.uri)?.version !== null) return;
    const { version } = document;
    void withErrorMessage(context, async () => {
      const { planDiagnostics } = await import('./planText.ts');
      // A later change is checked by its own call.
      if (document.version === version) faults.set(document.uri, planDiagnostics(document.getText()));
    });
  };
  return vscode.Disposable.from(
    files,
    faults,
    vscode.workspace.registerFileSystemProvider('autonomous-plan', files, { isCaseSensitive: true }),
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => faults.delete(uri)),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (planFileOf(uri)?.version === null) files.saved(uri);
    }),
    showAtGate(context, views),
    registerCommand(context, 'autonomous.showPlan', async (target) => {
      const job = await jobFor(context, target);
      if (job !== null) views.plan(job.id);
    }),
    registerCommand(context, 'autonomous.editPlan', async (target) => {
      const job = await jobFor(context, target);
      if (job !== null) await openAsYaml(job.id);
    }),
    registerCommand(context, 'autonomous.acceptPlan', async (target) => {
      const job = await jobFor(context, target);
      if (job !== null) await acceptPlan(context, job.id);
    }),
    registerCommand(context, 'autonomous.comparePlans', async (target) => {
      const job = await jobFor(context, target);
      if (job === null) return;
      const { comparePlans } = await import('./comparePlans.ts');
      await comparePlans(context, job);
    }),
  );
}

async function openAsYaml(jobId: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(planUri(jobId));
  await vscode.window.showTextDocument(document, { preview: false });
}

/**
 * Shows a plan once if it is proposed while this window is open. A plan that was proposed before is one click away, and so is the plan of a project,
 * which files briefs while the user works on something else.
 */
function showAtGate(context: HostContext, views: Pick<Pages, 'plan'>): vscode.Disposable {
  const asked = (): string[] =>
    pendingApprovals(context.engine.state).flatMap(({ kind, job_id, project_id }) =>
      kind === 'plan' && project_id === DEFAULT_PROJECT && job_id !== null ? [job_id] : [],
    );
  const seen = new Set(asked());
  return context.engine.onDidChange(() => {
    for (const jobId of asked()) {
      if (seen.has(jobId)) continue;
      seen.add(jobId);
      if (context.engine.current?.owner === true) views.plan(jobId);
    }
  });
}

async function acceptPlan(context: HostContext, jobId: string): Promise<void> {
  const uri = planUri(jobId).toString();
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
  // The editor shows its own message if it could not save.
  if (document?.isDirty === true && !(await document.save())) return;
  const asked = await planQuestion(context, jobId);
  if (asked === null) return;
  const { wordsFor } = await import('../../approval/approve.ts');
  const feedback = await wordsFor(context, asked);
  if (feedback === undefined) return;
  await context.engine.request('decide', { approvalId: asked.id, decision: 'approved', feedback, by: 'steward' });
}

/**
 * Returns the question about the newest version, or null if there is none to answer. After an edit, a new question replaces the old one with a short
 * delay.
 */
async function planQuestion(context: HostContext, jobId: string): Promise<ApprovalRow | null> {
  await context.engine.open();
  const look = (): ApprovalRow | null | undefined => {
    const { state } = context.engine;
    const job = state.jobs.get(jobId);
    if (job === undefined || job.plan_accepted || isFinal(JOB, job.status)) return null;
    return pendingApprovals(state).find(
      (row) => row.job_id === jobId && planAsked(state, row)?.version === job.plan_version,
    );
  };
  const now = look();
  if (now !== undefined) {
    if (now === null) void vscode.window.showInformationMessage(vscode.l10n.t('This plan needs no acceptance.'));
    return now;
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Waiting for the job to take up the edited plan'),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (_, token) => {
    const listening: vscode.Disposable[] = [];
    return new Promise<ApprovalRow | null>((resolve) => {
      const settle = (asked: ApprovalRow | null): void => {
        for (const one of listening) one.dispose();
        resolve(asked);
      };
      listening.push(
        token.onCancellationRequested(() => settle(null)),
        context.engine.onDidChange(() => {
          const found = look();
          if (found !== undefined) settle(found);
        }),
      );
    });
  });
}

/** Returns null if the choice was dismissed, or if there is no job, which is shown. */
async function jobFor(context: HostContext, target: unknown): Promise<JobRow | null> {
  await context.engine.open();
  const { jobs } = context.engine.state;
  const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
  const named = typeof target === 'string' ? target : given(target, 'jobId');
  const id = typeof named === 'string' ? named : uri === undefined ? undefined : planFileOf(uri)?.jobId;
  const known = id === undefined ? undefined : jobs.get(id);
  if (known !== undefined) return known;
  const planned = [...jobs.values()].filter((job) => job.plan_version > 0 && !isFinal(JOB, job.status));
  const [only] = planned;
  if (only === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No job has a plan that can be edited.'));
    return null;
  }
  if (planned.length === 1) return only;
  const items = planned.map((job) => ({ label: job.title, description: job.id, job })).reverse();
  return (
    (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Whose plan?'), ignoreFocusOut: true }))?.job ??
    null
  );
}
