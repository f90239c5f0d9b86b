/** Shows notes as comment threads beside their lines in open documents, and moves them with the text. */
import * as vscode from 'vscode';
import type { Lines } from '../../core/note/noteAnchors.ts';
import { type CurrentNote, type NoteThread, notesByFile, threadsIn } from '../../core/note/noteThreads.ts';
import type { Clock } from '../../shared/clock.ts';
import type { HostContext } from '../window/context.ts';
import { throttle } from '../window/throttle.ts';
import { commentsFor, type NoteComment } from './noteComments.ts';
import { projectFile } from './projectFile.ts';
import { scopeText } from './scope.ts';

const BETWEEN_MS = 250;

export interface NoteThreads extends vscode.Disposable {
  /** The current threads of a document; empty for a file outside the project. */
  in(document: vscode.TextDocument): readonly NoteThread[];
  /** Returns null for a thread that the user opened, and for other values. */
  shownAs(thread: unknown): NoteThread | null;
  /** Updates the thread after one of its comments was changed here. */
  refresh(comment: NoteComment): void;
  /** Opens the note's thread once it is shown. */
  reveal(noteId: number): void;
  readonly onDidChange: vscode.Event<void>;
}

interface Shown {
  readonly thread: vscode.CommentThread;
  comments: readonly NoteComment[];
  content: NoteThread;
  /** Identifies the shown content: the thread is updated only when it changes. */
  key: string;
}

export function noteThreads(context: HostContext, clock: Clock): NoteThreads {
  const controller = noteController(context);
  const changed = new vscode.EventEmitter<void>();
  const shown = new Map<string, Shown>();
  let noted = notesByFile(context.engine.state.notes.values());
  const threadsOf = (document: vscode.TextDocument): readonly NoteThread[] => {
    const notes = noted.size === 0 ? undefined : noted.get(fileOf(context, document) ?? '');
    return notes === undefined ? [] : threadsIn(notes, documentLines(document));
  };
  let revealed: number | null = null;
  const one = (matches: (candidate: Shown) => boolean): Shown | undefined => [...shown.values()].find(matches);
  const openRevealed = (): void => {
    const found = one(({ comments }) => comments.some(({ noteId }) => noteId === revealed));
    if (found === undefined) return;
    found.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    revealed = null;
  };
  const sync = (): void => {
    const wanted = new Set<string>();
    for (const document of noted.size === 0 ? [] : vscode.workspace.textDocuments) {
      for (const content of threadsOf(document)) {
        const name = `${document.uri.toString()} ${content.root}`;
        wanted.add(name);
        shown.set(name, put(context, controller, document, content, shown.get(name)));
      }
    }
    for (const [name, { thread }] of shown) {
      if (wanted.has(name)) continue;
      thread.dispose();
      shown.delete(name);
    }
    openRevealed();
    changed.fire();
  };
  const catchUp = (): void => {
    noted = notesByFile(context.engine.state.notes.values());
    sync();
  };
  sync();
  const later = throttle(clock, BETWEEN_MS, catchUp);
  const following = vscode.Disposable.from(
    later,
    context.engine.onDidChange(() => later.ask()),
    vscode.workspace.onDidOpenTextDocument(sync),
    vscode.workspace.onDidCloseTextDocument(sync),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (noted.has(fileOf(context, document) ?? '')) sync();
    }),
  );
  return {
    in: threadsOf,
    shownAs: (thread) => one((candidate) => candidate.thread === thread)?.content ?? null,
    refresh: (comment) => {
      const found = one(({ comments }) => comments.includes(comment));
      if (found === undefined) return;
      found.key = '';
      catchUp();
    },
    reveal: (noteId) => {
      revealed = noteId;
      openRevealed();
    },
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(following, controller, changed).dispose(),
  };
}

function noteController(context: HostContext): vscode.CommentController {
  const controller = vscode.comments.createCommentController('autonomous.notes', vscode.l10n.t('Autonomous Notes'));
  controller.options = {
    prompt: vscode.l10n.t('Add a note for the agents'),
    placeHolder: vscode.l10n.t('What should agents that work here know?'),
  };
  controller.commentingRangeProvider = {
    provideCommentingRanges: (document) =>
      fileOf(context, document) === null ? [] : [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)],
  };
  return controller;
}

/** Returns null for a document that is not a file of the project. */
export function fileOf(context: HostContext, document: Pick<vscode.TextDocument, 'uri'>): string | null {
  return document.uri.scheme === 'file' ? projectFile(context.engine.projectDir, document.uri.fsPath) : null;
}

export function documentLines(document: vscode.TextDocument): Lines {
  return { count: document.lineCount, at: (index) => document.lineAt(index).text };
}

/** Names the scope of a thread, and whether its line was removed. */
export function threadTitle(context: HostContext, { notes, outdated }: NoteThread): string {
  const [first] = notes as readonly [CurrentNote, ...CurrentNote[]];
  const scope = scopeText(context.engine.state, first.note);
  return outdated ? vscode.l10n.t('Note {0} (outdated)', scope) : vscode.l10n.t('Note {0}', scope);
}

function put(
  context: HostContext,
  controller: vscode.CommentController,
  document: vscode.TextDocument,
  content: NoteThread,
  known: Shown | undefined,
): Shown {
  const label = threadTitle(context, content);
  const key = JSON.stringify([content.line, label, content.notes.map(({ note }) => note.id)]);
  if (known?.key === key) return Object.assign(known, { content });
  const range = new vscode.Range(content.line - 1, 0, content.line - 1, 0);
  const comments = commentsFor(content.notes, known?.comments ?? []);
  const thread = known?.thread ?? controller.createCommentThread(document.uri, range, [...comments]);
  thread.range = range;
  thread.comments = [...comments];
  thread.label = label;
  thread.contextValue = 'note';
  thread.canReply = true;
  return { thread, comments, content, key };
}
