/** A dry run of a brief from the editor: which text, the progress, the page that shows it. Loaded with its first use. */
import * as vscode from 'vscode';
import { failure } from '../../../shared/errors.ts';
import { given } from '../../window/command.ts';
import type { World } from '../../window/world.ts';
import { isBrief } from './briefUri.ts';

export async function dryRun(world: World, target: unknown): Promise<void> {
  const brief = await briefToRehearse(target);
  if (brief !== null) await world.documents.read('dry-run.md', await rehearse(world, brief));
}

/** Returns the given text, the brief in the active editor, the selection, or text that is typed now; null if dismissed or empty. */
async function briefToRehearse(target: unknown): Promise<string | null> {
  const text = given(target, 'text');
  if (typeof text === 'string') return text;
  const { activeTextEditor: editor } = vscode.window;
  const uri = target instanceof vscode.Uri ? target : editor?.document.uri;
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
  const found =
    document !== undefined && isBrief(document.uri) ? document.getText() : editor?.document.getText(editor.selection);
  if (found !== undefined && found.trim() !== '') return found;
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Dry Run'),
    prompt: vscode.l10n.t('The brief to rehearse on a simulation. Nothing is changed and nothing is paid.'),
    ignoreFocusOut: true,
  });
  return typed === undefined || typed.trim() === '' ? null : typed;
}

async function rehearse({ handle, load }: World, brief: string): Promise<string> {
  const stop = new AbortController();
  const title = vscode.l10n.t('Rehearsing on a simulation');
  const run = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title },
    async (_, cancelled) => {
      cancelled.onCancellationRequested(() => stop.abort(failure('ABORTED', 'the dry run was stopped')));
      const settings = await handle.settings();
      // Other agents may bill their own accounts, and a rehearsal costs nothing.
      const { briefDefaults } = await import('../../settings/defaults.ts');
      const input = { ...briefDefaults('simulated'), executors: {}, brief };
      return (await load()).at(handle.place()).job.rehearse(settings, input, stop.signal);
    },
  );
  const { rehearsalText } = await import('../../window/inspectTexts.ts');
  return rehearsalText(brief, run);
}
