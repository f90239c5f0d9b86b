/** Saved work: restore an attempt as a branch or a patch, remove clones, export and import a workspace's record. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CleanUp } from '../../core/job/cloneCleanUp.ts';
import { restoredBranch } from '../../core/job/keptWork.ts';
import { featureAttempts } from '../../core/state/rows.ts';
import { fileSize } from '../../core/text/fileSize.ts';
import { requireEmpty } from '../../core/workspace/rows.ts';
import type { RestoreAs, Restored } from '../../shared/job/keptWork.ts';
import type { AttemptRow, AttemptStatus } from '../../shared/job/rows.ts';
import { given, withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';

const say = (text: string): void => void vscode.window.showInformationMessage(plainWords(text));

const statusLabel = (status: AttemptStatus): string => {
  switch (status) {
    case 'running':
      return vscode.l10n.t('Running');
    case 'interrupted':
      return vscode.l10n.t('Interrupted');
    case 'queued':
      return vscode.l10n.t('Waits to be merged');
    case 'succeeded':
      return vscode.l10n.t('Succeeded');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'stuck':
      return vscode.l10n.t('Stuck');
    case 'blocked':
      return vscode.l10n.t('Blocked');
    case 'abandoned':
      return vscode.l10n.t('Abandoned');
  }
};

/** Attempts of the named feature, or of all features: newest first, only those with saved work. */
async function pickAttempt({ engine }: HostContext, world: World, target: unknown): Promise<AttemptRow | null> {
  const place = world.handle.permittedPlace();
  const kept = new Map((await (await world.load()).at(place).job.kept()).map(({ id, bytes }) => [id, bytes]));
  const { state } = engine;
  const feature = state.features.get(Number(given(target, 'featureId')));
  const rows = feature === undefined ? [...state.attempts.values()] : featureAttempts(state, feature.id);
  const items = rows
    .filter((row) => kept.has(row.id) && row.feature_id !== null)
    .map((row) => ({
      label: state.features.get(row.feature_id ?? 0)?.name ?? '',
      description: vscode.l10n.t('Attempt {0}: {1}', row.number, statusLabel(row.status)),
      detail: `${new Date(row.started_at).toLocaleString()} · ${fileSize(kept.get(row.id) ?? 0)}`,
      row,
    }))
    .reverse();
  if (items.length === 0) {
    say(vscode.l10n.t('No attempt has saved work.'));
    return null;
  }
  const title = vscode.l10n.t('Restore which attempt?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true, ignoreFocusOut: true }))?.row ?? null;
}

/** Shows a message with a button that leads to its subject. Does not wait for the button. */
function sayWithWay(context: HostContext, text: string, way: string, go: () => Thenable<unknown>): void {
  void withErrorMessage(context, async () => {
    if ((await vscode.window.showInformationMessage(plainWords(text), way)) === way) await go();
  });
}

/** Returns null if dismissed. */
async function restoredAs(id: number): Promise<RestoreAs | null> {
  const title = vscode.l10n.t('Restore Attempt');
  const branch = { label: vscode.l10n.t('As a Branch') };
  const patch = {
    label: vscode.l10n.t('As a Patch File'),
    detail: vscode.l10n.t('All changes since the start commit of its job, for git apply.'),
  };
  const detail = vscode.l10n.t('Nothing is checked out, and no file of yours changes.');
  const as = await vscode.window.showQuickPick([{ ...branch, detail }, patch], { title, ignoreFocusOut: true });
  if (as?.label === branch.label) {
    const said = await vscode.window.showInputBox({
      ignoreFocusOut: true,
      title,
      prompt: vscode.l10n.t('Name of the new branch. Nothing is checked out, and no file of yours changes.'),
      value: restoredBranch(id),
    });
    const name = said?.trim() ?? '';
    return name === '' ? null : { branch: name };
  }
  if (as?.label !== patch.label) return null;
  const defaultUri = vscode.Uri.file(join(homedir(), `attempt-${id}.patch`));
  const uri = await vscode.window.showSaveDialog({ title, defaultUri });
  return uri === undefined ? null : { patchFile: uri.fsPath, ownOnly: false };
}

function showRestored(context: HostContext, id: number, { target, commit }: Restored): void {
  if (commit === null) {
    sayWithWay(context, vscode.l10n.t('Attempt {0} is the patch {1}.', id, target), vscode.l10n.t('Show'), async () =>
      vscode.window.showTextDocument(vscode.Uri.file(target)),
    );
    return;
  }
  const text = vscode.l10n.t('Attempt {0} is the branch {1}. Nothing is checked out.', id, target);
  // The command asks which branch, and git refuses if the user's changes would be lost.
  sayWithWay(context, text, vscode.l10n.t('Check Out…'), () => vscode.commands.executeCommand('git.checkout'));
}

export async function restoreAttempt(context: HostContext, world: World, target: unknown): Promise<void> {
  const attempt = await pickAttempt(context, world, target);
  const as = attempt === null ? null : await restoredAs(attempt.id);
  if (attempt === null || as === null) return;
  const place = world.handle.permittedPlace();
  showRestored(context, attempt.id, await (await world.load()).at(place).job.restore(attempt.id, as));
}

/** In a dialog that must fit on a screen. */
const MOST_LISTED = 12;

function cleanUpDetail({ go, stay }: CleanUp): string {
  const more = go.slice(MOST_LISTED);
  return [
    ...go.slice(0, MOST_LISTED).map((one) => `${fileSize(one.bytes)}  ${one.title} (${one.jobId})`),
    ...(more.length > 0 ? [vscode.l10n.t('And newer ones: {0}', more.length)] : []),
    '',
    vscode.l10n.t(
      'Plans, transcripts and costs stay, and each attempt can be restored as a branch. Merging or rolling back these jobs is not possible afterwards.',
    ),
    ...(stay.length > 0
      ? [vscode.l10n.t('Kept (job still running, or work not saved elsewhere): {0}', stay.length)]
      : []),
  ].join('\n');
}

export async function cleanUpClones({ engine }: HostContext, world: World): Promise<void> {
  const place = world.handle.permittedPlace();
  const preview = await (await world.load()).at(place).job.cleanUp(0);
  const { go, stay, bytes, left } = preview;
  if (go.length === 0) {
    say(
      stay.length === 0
        ? vscode.l10n.t('There are no clones.')
        : vscode.l10n.t('Kept (job still running, or work not saved elsewhere): {0}', stay.length),
    );
    return;
  }
  const remove = vscode.l10n.t('Remove Clones');
  const answer = await vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('Remove the clones of finished jobs, {0} in all?', fileSize(bytes - left))),
    { modal: true, detail: plainWords(cleanUpDetail(preview)) },
    remove,
  );
  if (answer !== remove) return;
  const done = await engine.request('cleanClones', { maxBytes: 0 });
  say(vscode.l10n.t('Clones removed: {0}. Space freed: {1}.', done.go.length, fileSize(done.bytes - done.left)));
}

export async function exportRecord(world: World): Promise<void> {
  const place = world.handle.permittedPlace();
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Everything of This Workspace'),
    defaultUri: vscode.Uri.file(join(homedir(), 'autonomous-export.tar.gz')),
    // The dialog checks only the last extension, and adds the first one of the list if none matches.
    filters: { Archive: ['tgz', 'gz'] },
  });
  if (uri === undefined) return;
  const { files, jobs, target } = await (await world.load()).at(place).exportRecord(uri.fsPath, null);
  say(vscode.l10n.t('Exported to {0}. Jobs: {1}, files: {2}.', target, jobs, files));
}

export async function importRecord(context: HostContext, world: World): Promise<void> {
  const { engine } = context;
  world.handle.permittedPlace();
  requireEmpty(engine.state);
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import an Export, to Look At'),
      openLabel: vscode.l10n.t('Import'),
      canSelectFolders: false,
      filters: { Archive: ['gz', 'tgz'] },
    })) ?? [];
  if (uri === undefined) return;
  const { jobs, tasks } = await engine.request('importRecord', { path: uri.fsPath });
  sayWithWay(
    context,
    vscode.l10n.t('Imported {0} jobs and {1} tasks (read-only).', jobs, tasks),
    vscode.l10n.t('Open Board'),
    () => vscode.commands.executeCommand('autonomous.openBoard'),
  );
}
