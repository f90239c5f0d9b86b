/** Notes beside the code: add, replace, resolve, change whom they are for, and see what concerns a file. */
import * as vscode from 'vscode';
import { anchorOf, placeNote } from '../../core/noteAnchors.ts';
import type { NoteRow } from '../../shared/domain.ts';
import type { HostContext } from '../context.ts';
import { given, registerCommand } from '../stewardship/command.ts';
import { documentLines, fileOf, noteThreads } from './noteThreads.ts';
import { askScope, type NoteScope } from './scope.ts';
import { showNotes } from './showNotes.ts';
import { type Touched, touchedFeatures } from './touched.ts';

/** `autonomous.addNote` takes a comment being written, `{featureId}`, or nothing: then the cursor's line is noted. */
export function registerNotes(context: HostContext): vscode.Disposable {
  const threads = noteThreads(context);
  const touched = touchedFeatures(context);
  return vscode.Disposable.from(
    threads,
    registerCommand(context, 'autonomous.addNote', async (target) => {
      const thread = given(target, 'thread') as vscode.CommentThread | undefined;
      const text = given(target, 'text');
      if (thread !== undefined && typeof text === 'string') return addAt(context, touched, thread, text);
      const featureId = given(target, 'featureId');
      return typeof featureId === 'number' ? addToFeature(context, featureId) : addAtCursor(context, touched);
    }),
    registerCommand(context, 'autonomous.replaceNote', async (target) => {
      const note = threads.noteOf(given(target, 'thread'));
      const text = given(target, 'text');
      if (note !== null && typeof text === 'string') await replace(context, note, { content: text });
    }),
    registerCommand(context, 'autonomous.resolveNote', async (thread) => {
      const note = threads.noteOf(thread);
      if (note !== null) await context.engine.wish('resolveNote', { noteId: note.id });
    }),
    registerCommand(context, 'autonomous.changeNoteScope', async (thread) => {
      const note = threads.noteOf(thread);
      if (note === null) return;
      const near = note.file === null ? [] : await touched(note.file);
      const scope = await askScope(context.engine.state, near);
      if (scope !== undefined) await replace(context, note, scope);
    }),
    registerCommand(context, 'autonomous.showNotesForFile', () => showNotes(context, threads, touched)),
  );
}

/** The thread that a person opened gives way to the note's own. */
async function addAt(
  context: HostContext,
  touched: Touched,
  thread: vscode.CommentThread,
  text: string,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(thread.uri);
  const added = await add(context, touched, document, thread.range?.start.line ?? 0, text);
  if (added) thread.dispose();
}

async function addAtCursor(context: HostContext, touched: Touched): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const content = await askContent();
  if (content === undefined) return;
  if (editor !== undefined && fileOf(context, editor.document) !== null) {
    await add(context, touched, editor.document, editor.selection.active.line, content);
    return;
  }
  const scope = await askScope(context.engine.state, []);
  if (scope !== undefined) await context.engine.wish('addNote', { ...scope, content });
}

async function addToFeature(context: HostContext, featureId: number): Promise<void> {
  const content = await askContent();
  if (content !== undefined) await context.engine.wish('addNote', { featureId, content });
}

async function askContent(): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Note'),
    prompt: vscode.l10n.t('What should whoever works here know?'),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() !== '') return text;
  void vscode.window.showInformationMessage(vscode.l10n.t('The note is empty.'));
  return undefined;
}

/** Whether it was added; the scope may be dismissed. */
async function add(
  context: HostContext,
  touched: Touched,
  document: vscode.TextDocument,
  line: number,
  content: string,
): Promise<boolean> {
  const file = fileOf(context, document);
  if (file === null || content.trim() === '') return false;
  await context.engine.open();
  const scope = await askScope(context.engine.state, await touched(file));
  if (scope === undefined) return false;
  const at = Math.min(line, document.lineCount - 1);
  await context.engine.wish('addNote', {
    ...scope,
    content,
    file,
    line: at + 1,
    anchor: anchorOf(document.lineAt(at).text),
  });
  return true;
}

/** The note anew, at the place where it stands now. */
async function replace(
  context: HostContext,
  note: NoteRow,
  change: { readonly content: string } | NoteScope,
): Promise<void> {
  const open = vscode.workspace.textDocuments.find((document) => fileOf(context, document) === note.file);
  const place = open === undefined || note.file === null ? null : placeNote(note, documentLines(open));
  await context.engine.wish('addNote', {
    featureId: note.feature_id,
    category: note.category,
    content: note.content,
    file: note.file,
    line: place === null || place.outdated ? note.line : place.line,
    anchor: note.anchor,
    ...change,
    supersedes: note.id,
  });
}
