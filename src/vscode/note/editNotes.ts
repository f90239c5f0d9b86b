/** Edits notes in place: the edited note replaces the old one, at its current line. */
import * as vscode from 'vscode';
import { anchorOf, placeNote } from '../../core/note/noteAnchors.ts';
import { need } from '../../core/state/rows.ts';
import type { NoteRow } from '../../shared/note.ts';
import { registerCommand } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { closed, type NoteComment } from './noteComments.ts';
import { documentLines, fileOf, type NoteThreads } from './noteThreads.ts';
import type { NoteScope } from './scope.ts';

export function registerNoteEditing(context: HostContext, threads: NoteThreads): vscode.Disposable {
  const noteOf = ({ noteId }: NoteComment): NoteRow => need(context.engine.state, 'notes', noteId);
  const close = (comment: NoteComment): void => {
    closed(comment, noteOf(comment).content);
    threads.refresh(comment);
  };
  return vscode.Disposable.from(
    registerCommand(context, 'autonomous.editNote', async (comment) => {
      if (!isNoteComment(comment)) return;
      comment.mode = vscode.CommentMode.Editing;
      threads.refresh(comment);
    }),
    registerCommand(context, 'autonomous.saveNote', async (comment) => {
      if (!isNoteComment(comment)) return;
      const content = typeof comment.body === 'string' ? comment.body : comment.body.value;
      if (content.trim() === '') {
        void vscode.window.showInformationMessage(vscode.l10n.t('The note is empty.'));
        return;
      }
      const note = noteOf(comment);
      // The note was changed, maybe in another window, and this thread does not show it yet. A resolved note (0) becomes active with the edited text.
      if (note.superseded_by !== null && note.superseded_by !== 0) {
        threads.refresh(comment);
        void vscode.window.showInformationMessage(
          vscode.l10n.t('The note was changed elsewhere. Save again to overwrite that change.'),
        );
        return;
      }
      if (content !== note.content) await replaceNote(context, note, { content });
      close(comment);
    }),
    registerCommand(context, 'autonomous.cancelNote', async (comment) => {
      if (isNoteComment(comment)) close(comment);
    }),
  );
}

function isNoteComment(value: unknown): value is NoteComment {
  return typeof value === 'object' && value !== null && 'noteId' in value && typeof value.noteId === 'number';
}

export async function replaceNote(
  context: HostContext,
  note: NoteRow,
  change: { readonly content: string } | NoteScope,
): Promise<void> {
  await context.engine.request('addNote', {
    featureId: note.feature_id,
    category: note.category,
    content: note.content,
    file: note.file,
    ...placeNow(context, note),
    ...change,
    supersedes: note.id,
  });
}

/** The line in the open document. If the document is closed or the line was removed, the line as it was noted. */
function placeNow(context: HostContext, note: NoteRow): Pick<NoteRow, 'line' | 'anchor'> {
  const { line, anchor } = note;
  const document = vscode.workspace.textDocuments.find((one) => fileOf(context, one) === (note.file ?? ''));
  if (document === undefined || line === null) return { line, anchor };
  const place = placeNote(note, documentLines(document));
  if (place.outdated) return { line, anchor };
  return { line: place.line, anchor: anchor ?? anchorOf(document.lineAt(place.line - 1).text) };
}
