/** Lists the notes that concern a file: those at its lines, then those of the features that changed it, then the rest in scope. */

import * as vscode from 'vscode';
import { placeNote } from '../../core/note/noteAnchors.ts';
import { messageOf } from '../../shared/errors.ts';
import type { FeatureRow } from '../../shared/job/rows.ts';
import type { NoteRow } from '../../shared/note.ts';
import type { State } from '../../shared/workspace/state.ts';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { authorName } from './authorName.ts';
import type { FeaturesByFile } from './featuresByFile.ts';
import { documentLines, fileOf, type NoteThreads } from './noteThreads.ts';
import { scopeText } from './scope.ts';

interface NoteItem extends vscode.QuickPickItem {
  readonly note?: NoteRow;
}

export async function showNotes(
  context: HostContext,
  threads: NoteThreads,
  touched: FeaturesByFile,
  target: unknown,
): Promise<void> {
  const { state } = context.engine;
  const named = state.notes.get(Number(given(target, 'noteId')));
  if (named !== undefined) return showNote(context, threads, named);
  const document = await documentAt(target);
  const file = document === null ? null : fileOf(context, document);
  if (document === null || file === null) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file of the project to see its notes.'));
    return;
  }
  const items = itemsFor(state, file, await touched(file), document);
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No note concerns this file.'));
    return;
  }
  const title = vscode.l10n.t('Notes for {0}', file);
  const picked = await vscode.window.showQuickPick<NoteItem>(items, {
    title,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (picked?.note !== undefined) await showNote(context, threads, picked.note);
}

async function documentAt(target: unknown): Promise<vscode.TextDocument | null> {
  if (target instanceof vscode.Uri) return vscode.workspace.openTextDocument(target);
  return vscode.window.activeTextEditor?.document ?? null;
}

/** Shows the note at its line if it has one. */
async function showNote(context: HostContext, threads: NoteThreads, note: NoteRow): Promise<void> {
  const document = await notedDocument(context, note);
  if (document === null) {
    // Too long for a line of the list: read in a message, which a person closes.
    const scope = scopeText(context.engine.state, note);
    void vscode.window.showInformationMessage(plainWords(scope), { modal: true, detail: plainWords(note.content) });
    return;
  }
  const { line } = placeNote(note, documentLines(document));
  const at = new vscode.Range(line - 1, 0, line - 1, 0);
  const editor = await vscode.window.showTextDocument(document, { selection: at });
  editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  threads.reveal(note.id);
}

/** Returns null if the note names no file, or a missing one: an agent's clone may have files that are not merged yet. */
async function notedDocument(context: HostContext, { file }: NoteRow): Promise<vscode.TextDocument | null> {
  const { projectDir } = context.engine;
  if (file === null || projectDir === null) return null;
  const uri = vscode.Uri.joinPath(vscode.Uri.file(projectDir), file);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return fileOf(context, document) === file ? document : null;
  } catch (thrown) {
    context.log.debug(messageOf(thrown));
    return null;
  }
}

function itemsFor(
  state: State,
  file: string,
  features: readonly FeatureRow[],
  document: vscode.TextDocument,
): NoteItem[] {
  const current = [...state.notes.values()].filter((note) => note.superseded_by === null).reverse();
  const ids = new Set(features.map((row) => row.id));
  const categories = new Set(features.map((row) => row.category));
  const here = current.filter((note) => note.file === file);
  const rest = current.filter((note) => note.file !== file);
  const ofFeatures = rest.filter((note) => note.feature_id !== null && ids.has(note.feature_id));
  const scoped = rest.filter(
    (note) => note.feature_id === null && (note.category === null || categories.has(note.category)),
  );
  const item = (note: NoteRow): NoteItem => {
    const place = note.file === file ? placeNote(note, documentLines(document)) : null;
    const where = place === null ? (note.file ?? '') : vscode.l10n.t('line {0}', place.line);
    const [first = ''] = note.content.trim().split('\n', 1);
    return {
      label: first,
      description: place?.outdated === true ? vscode.l10n.t('{0} (outdated)', where) : where,
      detail: `${authorName(note)}, ${scopeText(state, note)}`,
      note,
    };
  };
  const section = (label: string, notes: readonly NoteRow[]): NoteItem[] =>
    notes.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...notes.map(item)];
  return [
    ...section(vscode.l10n.t('In this file'), here),
    ...section(vscode.l10n.t('Notes of features that changed this file'), ofFeatures),
    ...section(vscode.l10n.t('Notes of their categories, and global notes'), scoped),
  ];
}
