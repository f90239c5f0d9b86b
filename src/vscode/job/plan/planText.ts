/** Writes and reads the text of a plan's file. Loaded with the first opened plan, not with the extension. */
import * as vscode from 'vscode';
import { begunFeatures, editablePlan, samePlan, withoutIds } from '../../../core/job/plan/planEditing.ts';
import { planId } from '../../../core/state/planId.ts';
import { need } from '../../../core/state/rows.ts';
import { asFailure } from '../../../shared/errors.ts';
import type { HostContext } from '../../window/context.ts';
import { plainWords } from '../../words/plainWords.ts';
import { type PlanFile, planFileOf, planUri } from '../../words/planUri.ts';
import { type PlanFault, planYaml, readPlan } from './planDocument.ts';

function diagnosticsOf(faults: readonly PlanFault[]): vscode.Diagnostic[] {
  return faults.map(({ message, line, column, endLine, endColumn }) => {
    const range = new vscode.Range(line, column, endLine, endColumn);
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Autonomous';
    return diagnostic;
  });
}

export async function textOf(context: HostContext, file: PlanFile): Promise<string> {
  // After a reload, an open document may be read before the state: read the state first.
  if (!context.engine.state.jobs.has(file.jobId)) await context.engine.look();
  const { state } = context.engine;
  const job = state.jobs.get(file.jobId);
  if (job === undefined) throw vscode.FileSystemError.FileNotFound(planUri(file.jobId, file.version));
  // Compare only the texts: a version from before the plan was accepted has no ids.
  if (file.version !== null) return planYaml(withoutIds(need(state, 'plans', planId(job.id, file.version)).plan), '');
  const plan = editablePlan(state, job);
  if (plan === null) throw vscode.FileSystemError.FileNotFound(planUri(job.id));
  const head = job.plan_accepted
    ? vscode.l10n.t(
        'Saving changes the plan of the running job. Parts with an id are the ones on the board: keep the id when you\nreword or move them, delete what should be skipped, write new parts without an id. Parts that have started keep their text.',
      )
    : vscode.l10n.t('Saving makes a new version of the plan. Accept it, or reject it with what should be different.');
  return planYaml(plan, head, begunFeatures(state, job.id));
}

/** Returns the problems of the text. An empty list means that the plan can run. */
export function planDiagnostics(text: string): vscode.Diagnostic[] {
  const read = readPlan(text);
  return read.outcome === 'faults' ? diagnosticsOf(read.faults) : [];
}

/** Throws if the text is not a valid plan. The document then stays open and unsaved, with everything that was typed. */
export async function save(context: HostContext, uri: vscode.Uri, content: Uint8Array): Promise<void> {
  const file = planFileOf(uri);
  if (file === null || file.version !== null) throw vscode.FileSystemError.NoPermissions(uri);
  const read = readPlan(new TextDecoder().decode(content));
  if (read.outcome === 'faults') {
    const [fault] = read.faults;
    throw vscode.FileSystemError.Unavailable(
      plainWords(vscode.l10n.t('This plan cannot be run: {0}', fault?.message ?? '')),
    );
  }
  await context.engine.open();
  const job = need(context.engine.state, 'jobs', file.jobId);
  const before = editablePlan(context.engine.state, job);
  if (before !== null && samePlan(before, read.plan)) return;
  try {
    await context.engine.request('editPlan', { jobId: file.jobId, plan: read.plan });
  } catch (thrown) {
    // The editor shows this message beside the unsaved document.
    throw vscode.FileSystemError.Unavailable(plainWords(asFailure(thrown).message));
  }
}
