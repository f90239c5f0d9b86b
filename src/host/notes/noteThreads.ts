/** Notes as comment threads beside their lines, in the documents that are open, moved when the text moves. */
import * as vscode from 'vscode';
import { type Lines, noteHistory, placeNote } from '../../core/noteAnchors.ts';
import type { NoteRow } from '../../shared/domain.ts';
import type { HostContext } from '../context.ts';
import { projectFile } from './projectFile.ts';
import { scopeText } from './scope.ts';

export interface NoteThreads extends vscode.Disposable {
  /** null: not a thread of a note. */
  noteOf(thread: unknown): NoteRow | null;
  /** Opens the note's thread, which its document must be open for. */
  reveal(noteId: number): void;
}

interface Shown {
  readonly thread: vscode.CommentThread;
  /** What the thread shows: it is touched only when that changes. */
  key: string;
}

export function noteThreads(context: HostContext): NoteThreads {
  const controller = vscode.comments.createCommentController('autonomous.notes', vscode.l10n.t('Autonomous Notes'));
  controller.options = {
    prompt: vscode.l10n.t('Add a note for the agents'),
    placeHolder: vscode.l10n.t('What should whoever works here know? In a note, what you write replaces it.'),
  };
  controller.commentingRangeProvider = {
    provideCommentingRanges: (document) =>
      fileOf(context, document) === null ? [] : [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)],
  };
  const shown = new Map<number, Shown>();
  const sync = (): void => {
    const wanted = new Set<number>();
    const byFile = notesByFile(context);
    for (const document of byFile.size === 0 ? [] : vscode.workspace.textDocuments) {
      const file = fileOf(context, document);
      for (const note of file === null ? [] : (byFile.get(file) ?? [])) {
        wanted.add(note.id);
        show(context, controller, shown, document, note);
      }
    }
    for (const [id, { thread }] of shown) {
      if (wanted.has(id)) continue;
      thread.dispose();
      shown.delete(id);
    }
  };
  sync();
  const following = vscode.Disposable.from(
    context.engine.onDidChange(sync),
    vscode.workspace.onDidOpenTextDocument(sync),
    vscode.workspace.onDidCloseTextDocument(sync),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (fileOf(context, document) !== null) sync();
    }),
  );
  return {
    noteOf: (thread) => {
      for (const [id, one] of shown) if (one.thread === thread) return context.engine.state.notes.get(id) ?? null;
      return null;
    },
    reveal: (noteId) => {
      const thread = shown.get(noteId)?.thread;
      if (thread !== undefined) thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    },
    dispose: () => {
      following.dispose();
      controller.dispose();
    },
  };
}

/** null: no file of the project. */
export function fileOf(context: HostContext, document: Pick<vscode.TextDocument, 'uri'>): string | null {
  return document.uri.scheme === 'file' ? projectFile(context.engine.projectDir, document.uri.fsPath) : null;
}

export function documentLines(document: vscode.TextDocument): Lines {
  return { count: document.lineCount, at: (index) => document.lineAt(index).text };
}

function notesByFile(context: HostContext): ReadonlyMap<string, readonly NoteRow[]> {
  const byFile = new Map<string, NoteRow[]>();
  for (const note of context.engine.state.notes.values()) {
    if (note.superseded_by !== null || note.file === null) continue;
    const known = byFile.get(note.file);
    if (known === undefined) byFile.set(note.file, [note]);
    else known.push(note);
  }
  return byFile;
}

function show(
  context: HostContext,
  controller: vscode.CommentController,
  shown: Map<number, Shown>,
  document: vscode.TextDocument,
  note: NoteRow,
): void {
  const { line, outdated } = placeNote(note, documentLines(document));
  const scope = scopeText(context.engine.state, note);
  const label = outdated ? vscode.l10n.t('Note {0} (outdated)', scope) : vscode.l10n.t('Note {0}', scope);
  const key = `${document.uri.toString()}\n${line}\n${label}`;
  const known = shown.get(note.id);
  if (known?.key === key) return;
  const range = new vscode.Range(line - 1, 0, line - 1, 0);
  const sameDocument = known?.thread.uri.toString() === document.uri.toString();
  if (known !== undefined && !sameDocument) known.thread.dispose();
  const thread =
    known !== undefined && sameDocument
      ? known.thread
      : controller.createCommentThread(document.uri, range, commentsOf(context, note));
  thread.range = range;
  thread.label = label;
  thread.contextValue = 'note';
  thread.canReply = true;
  shown.set(note.id, { thread, key });
}

/** What the note replaced stands above it, so that nothing said before is lost to the reader. */
function commentsOf(context: HostContext, note: NoteRow): vscode.Comment[] {
  return noteHistory(context.engine.state.notes.values(), note).map((row) => ({
    // A string is shown as it is, unlike a MarkdownString: what an agent wrote stays text.
    body: row.content,
    mode: vscode.CommentMode.Preview,
    author: {
      name:
        row.created_by_session === null ? vscode.l10n.t('You') : vscode.l10n.t('Session {0}', row.created_by_session),
    },
    timestamp: new Date(row.created_at),
    ...(row.id === note.id ? {} : { label: vscode.l10n.t('replaced') }),
  }));
}
