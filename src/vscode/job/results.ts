/** Shows once where a job's result was delivered, if that happened while this window was open. */
import * as vscode from 'vscode';
import { isBuiltDemo } from '../../core/job/view/jobStatus.ts';
import type { JobRow, MergeResult } from '../../shared/job/rows.ts';
import { setting } from '../settings/read.ts';
import { withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';

const SHORT_COMMIT = 7;

export function showResults(context: HostContext): vscode.Disposable {
  const { engine } = context;
  /** Jobs whose result was not delivered yet. A job that already has a result is not announced. */
  const open = new Set<string>();
  const look = (): void => {
    for (const job of engine.state.jobs.values()) {
      if (job.merge === null || job.merge.rolledBack) open.add(job.id);
      else if (open.delete(job.id) && setting.notifies('results')) {
        const text = resultText(job, job.merge);
        void withErrorMessage(context, () => tell(context, text, job));
      }
    }
  };
  look();
  return engine.onDidChange(look);
}

/** Offers what the demo built too. */
async function tell(context: HostContext, text: string, job: JobRow): Promise<void> {
  const [built, board] = [vscode.l10n.t('Open What Was Built'), vscode.l10n.t('Open Board')];
  const offered = isBuiltDemo(job) ? [built, board] : [board];
  const pressed = await vscode.window.showInformationMessage(plainWords(text), ...offered);
  if (pressed === board) await vscode.commands.executeCommand('autonomous.openBoard', { jobId: job.id });
  if (pressed === built) await (await import('./openBuilt.ts')).openBuilt(context);
}

function resultText({ title }: JobRow, { mode, target, commit, note }: MergeResult): string {
  const at = commit?.slice(0, SHORT_COMMIT) ?? '';
  const where =
    mode === 'patch'
      ? vscode.l10n.t('Written to the patch {0}', target)
      : mode === 'branch'
        ? vscode.l10n.t('Left on the branch {0} at {1}', target, at)
        : vscode.l10n.t('Merged into {0} at {1}', target, at);
  return [where, title, ...(note === null ? [] : [note])].join(': ');
}
