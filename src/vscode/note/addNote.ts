/** Adds a note: beside a line, as a reply to the notes there, or to a feature. */
import * as vscode from 'vscode';
import { anchorOf } from '../../core/note/noteAnchors.ts';
import type { NoteThread } from '../../core/note/noteThreads.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import type { FeaturesByFile } from './featuresByFile.ts';
import { fileOf } from './noteThreads.ts';
import { askScope, type NoteScope } from './scope.ts';

/** A reply joins the notes above it, with the same line and scope. */
export async function reply(context: HostContext, { notes }: NoteThread, thread: vscode.CommentThread, text: string) {
  const [first] = notes;
  if (first === undefined || text.trim() === '') return;
  const { note } = first;
  const document = await vscode.workspace.openTextDocument(thread.uri);
  const scope = { featureId: note.feature_id, category: note.category };
  if (note.anchor === null && note.line === null) {
    await context.engine.request('addNote', { ...scope, content: text, file: note.file });
    return;
  }
  const line = Math.min(thread.range?.start.line ?? 0, document.lineCount - 1);
  // A reply to notes whose line was removed refers to that line too.
  const anchor = note.anchor ?? anchorOf(document.lineAt(line).text);
  await context.engine.request('addNote', { ...scope, content: text, file: note.file, line: line + 1, anchor });
}

/**
 * Replaces the thread that the user opened with the thread of the new note, which keeps its open state. Returns the note's id, or null if it was not
 * added.
 */
export async function addAt(context: HostContext, touched: FeaturesByFile, thread: vscode.CommentThread, text: string) {
  const document = await vscode.workspace.openTextDocument(thread.uri);
  const noteId = await add(context, touched, document, thread.range?.start.line ?? 0, text);
  if (noteId !== null) thread.dispose();
  return noteId;
}

/** Adds a note at the cursor's line. Returns its id, or null if it has no line or was not added. */
export async function addAtCursor(context: HostContext, touched: FeaturesByFile): Promise<number | null> {
  const editor = vscode.window.activeTextEditor;
  const content = await askContent();
  if (content === undefined) return null;
  if (editor !== undefined && fileOf(context, editor.document) !== null) {
    return add(context, touched, editor.document, editor.selection.active.line, content);
  }
  await context.engine.open();
  const scope = await scopeFor(context, [], content);
  if (scope !== undefined) await context.engine.request('addNote', { ...scope, content });
  return null;
}

export async function addToFeature(context: HostContext, featureId: number): Promise<void> {
  const content = await askContent();
  if (content !== undefined) await context.engine.request('addNote', { featureId, content });
}

async function askContent(): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Note'),
    prompt: vscode.l10n.t('What should agents that work here know?'),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() !== '') return text;
  void vscode.window.showInformationMessage(vscode.l10n.t('The note is empty.'));
  return undefined;
}

async function add(
  context: HostContext,
  touched: FeaturesByFile,
  document: vscode.TextDocument,
  line: number,
  content: string,
): Promise<number | null> {
  const file = fileOf(context, document);
  if (file === null || content.trim() === '') return null;
  await context.engine.open();
  const scope = await scopeFor(context, await touched(file), content);
  if (scope === undefined) return null;
  const at = Math.min(line, document.lineCount - 1);
  const anchor = anchorOf(document.lineAt(at).text);
  const { noteId } = await context.engine.request('addNote', { ...scope, content, file, line: at + 1, anchor });
  return noteId;
}

/** Asks until the scope is chosen or the note is abandoned: the editor has already cleared the text field. */
async function scopeFor(
  context: HostContext,
  near: Parameters<typeof askScope>[1],
  content: string,
): Promise<NoteScope | undefined> {
  for (;;) {
    const scope = await askScope(context.engine.state, near);
    if (scope !== undefined) return scope;
    const again = vscode.l10n.t('Choose Again');
    const question = vscode.l10n.t('The note is not added yet: it does not say whom it is for. {0}', content);
    if ((await vscode.window.showWarningMessage(plainWords(question), again)) !== again) return undefined;
  }
}
