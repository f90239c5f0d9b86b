/** Converts notes to comments of the editor. A comment that is being edited keeps its object. */
import * as vscode from 'vscode';
import type { CurrentNote } from '../../core/note/noteThreads.ts';
import { authorName } from './authorName.ts';

export interface NoteComment extends vscode.Comment {
  /** The current note, which an edit replaces. */
  noteId: number;
  readonly root: number;
}

/** A note that is being edited keeps its object, so that typed text is kept too. If the note was replaced elsewhere meanwhile, it shows that. */
export function commentsFor(notes: readonly CurrentNote[], before: readonly NoteComment[]): readonly NoteComment[] {
  return notes.map((current) => {
    const edited = before.find(({ root, mode }) => root === current.root && mode === vscode.CommentMode.Editing);
    if (edited === undefined) return commentOf(current);
    if (edited.noteId !== current.note.id) {
      edited.noteId = current.note.id;
      edited.label = vscode.l10n.t('changed elsewhere meanwhile');
    }
    return edited;
  });
}

function commentOf({ note, root, reworded }: CurrentNote): NoteComment {
  return {
    noteId: note.id,
    root,
    // A plain string, not a MarkdownString, so that an agent's text is shown literally.
    body: note.content,
    mode: vscode.CommentMode.Preview,
    contextValue: 'note',
    author: { name: authorName(note) },
    timestamp: new Date(note.created_at),
    ...(reworded ? { label: vscode.l10n.t('edited') } : {}),
  };
}

/** Ends editing: restores the note's text, which the user may have changed. */
export function closed(comment: NoteComment, content: string): void {
  comment.body = content;
  comment.mode = vscode.CommentMode.Preview;
}
