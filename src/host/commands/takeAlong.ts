/** Work that is kept: an attempt as a branch again, clones that go, and a workspace's record taken along and back. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fileSize } from '../../core/fileSize.ts';
import { restoredBranch } from '../../core/keptWork.ts';
import { featureAttempts } from '../../core/rows.ts';
import type { AttemptRow } from '../../shared/domain.ts';
import type { HostContext } from '../context.ts';
import { plainWords } from '../plainWords.ts';
import { given } from '../stewardship/command.ts';
import type { World } from '../world.ts';

const say = (text: string): void => void vscode.window.showInformationMessage(plainWords(text));

/** Of the feature that was named, or of all: newest first, those alone whose work is kept. */
async function pickAttempt({ engine }: HostContext, world: World, target: unknown): Promise<AttemptRow | null> {
  const place = world.handle.permittedPlace();
  const kept = new Map((await (await world.load()).keptAttempts(place)).map(({ id, bytes }) => [id, bytes]));
  const { state } = engine;
  const feature = state.features.get(Number(given(target, 'featureId')));
  const rows = feature === undefined ? [...state.attempts.values()] : featureAttempts(state, feature.id);
  const items = rows
    .filter((row) => kept.has(row.id) && row.feature_id !== null)
    .map((row) => ({
      label: state.features.get(row.feature_id ?? 0)?.name ?? '',
      description: vscode.l10n.t('attempt {0}, {1}', row.number, row.status),
      detail: `${row.id} · ${row.started_at} · ${fileSize(kept.get(row.id) ?? 0)}`,
      row,
    }))
    .reverse();
  if (items.length === 0) {
    say(vscode.l10n.t('Of no attempt any work is kept.'));
    return null;
  }
  const title = vscode.l10n.t('Restore which attempt?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.row ?? null;
}

export async function restoreAttempt(context: HostContext, world: World, target: unknown): Promise<void> {
  const attempt = await pickAttempt(context, world, target);
  if (attempt === null) return;
  const branch = await vscode.window.showInputBox({
    title: vscode.l10n.t('Restore Attempt as Branch'),
    prompt: vscode.l10n.t('Name of the new branch. Nothing is checked out, and no file of yours changes.'),
    value: restoredBranch(attempt.id),
  });
  if (branch === undefined || branch.trim() === '') return;
  const place = world.handle.permittedPlace();
  const { target: made } = await (await world.load()).restoreAttempt(place, attempt.id, { branch: branch.trim() });
  say(vscode.l10n.t('The attempt is the branch {0}.', made));
}

export async function cleanUpClones({ engine }: HostContext, world: World): Promise<void> {
  const place = world.handle.permittedPlace();
  const { go, stay } = await (await world.load()).previewCleanUp(place, 0);
  if (go.length === 0) {
    say(vscode.l10n.t('No clone can go: {0} are of jobs under way, or hold work that lies nowhere else.', stay.length));
    return;
  }
  const bytes = go.reduce((sum, one) => sum + one.bytes, 0);
  const remove = vscode.l10n.t('Remove {0} Clones', go.length);
  const answer = await vscode.window.showWarningMessage(
    plainWords(vscode.l10n.t('Remove the clones of finished jobs, {0} in all?', fileSize(bytes))),
    {
      modal: true,
      detail: plainWords(
        [
          ...go.map((one) => `${fileSize(one.bytes)}  ${one.title} (${one.jobId})`),
          vscode.l10n.t(
            'Plans, transcripts and costs stay, and each attempt can be restored as a branch. Merging or rolling back these jobs is not possible afterwards.',
          ),
        ].join('\n'),
      ),
    },
    remove,
  );
  if (answer !== remove) return;
  const done = await engine.wish('cleanClones', { maxBytes: 0 });
  say(vscode.l10n.t('{0} less.', fileSize(done.bytes - done.left)));
}

export async function exportRecord(world: World): Promise<void> {
  const place = world.handle.permittedPlace();
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Everything of This Workspace'),
    defaultUri: vscode.Uri.file(join(homedir(), 'autonomous-export.tar.gz')),
    filters: { Archive: ['tar.gz'] },
  });
  if (uri === undefined) return;
  const { files, jobs } = await (await world.load()).exportRecord(place, uri.fsPath, null);
  say(vscode.l10n.t('Exported {0} jobs as {1} files.', jobs, files));
}

export async function importRecord({ engine }: HostContext, world: World): Promise<void> {
  world.handle.permittedPlace();
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import an Export, to Look At'),
      openLabel: vscode.l10n.t('Import'),
      canSelectFolders: false,
      filters: { Archive: ['gz', 'tgz'] },
    })) ?? [];
  if (uri === undefined) return;
  const { jobs, tasks } = await engine.wish('importRecord', { path: uri.fsPath });
  say(vscode.l10n.t('Imported {0} jobs and {1} tasks. All of them are ended here.', jobs, tasks));
}
