/** Asks for a command that installs what a job needs. */
import * as vscode from 'vscode';
import type { JobRow } from '../../shared/job/rows.ts';
import type { EngineHandle } from '../window/context.ts';

const MAX_LENGTH = 1_000;

export async function addSetup(engine: EngineHandle, job: JobRow): Promise<void> {
  const typed = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Setup Command of "{0}"', job.title),
    prompt: vscode.l10n.t(
      'Runs before the next attempt and in each fresh checkout. It may download from the package registries.',
    ),
    placeHolder: 'npm install',
    value: job.setup_added.length === 0 ? (job.setup_gap?.command ?? '') : '',
    validateInput: (text) =>
      text.trim() === '' || /[\r\n]/.test(text) || text.trim().length > MAX_LENGTH
        ? vscode.l10n.t('Type one command, e.g. npm install.')
        : null,
  });
  if (typed === undefined) return;
  await engine.request('addSetup', { jobId: job.id, command: typed.trim() });
}
