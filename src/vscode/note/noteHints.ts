/** Shows notes without opening their thread: a hover at the line and, if the setting is on, a lens above it. */
import * as vscode from 'vscode';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';
import { plainMarkdown } from '../words/plainMarkdown.ts';
import { authorName } from './authorName.ts';
import { type NoteThreads, threadTitle } from './noteThreads.ts';

const FILES = { scheme: 'file' } as const;
const LENS_SETTING = 'autonomous.notes.codeLens';

export function registerNoteHints(context: HostContext, threads: NoteThreads): vscode.Disposable {
  const lenses = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    lenses,
    vscode.languages.registerHoverProvider(FILES, {
      provideHover: (document, { line }) => {
        const texts = threads
          .in(document)
          .filter((thread) => thread.line === line + 1)
          .map((thread) => {
            // Quoted, so that no line of a note looks like the name of another author.
            const notes = thread.notes.map(
              ({ note }) =>
                `${plainMarkdown(authorName(note))}:\n\n> ${plainMarkdown(note.content).replaceAll('\n', '\n> ')}`,
            );
            return new vscode.MarkdownString(
              [`**${plainMarkdown(threadTitle(context, thread))}**`, ...notes].join('\n\n'),
            );
          });
        return texts.length === 0 ? undefined : new vscode.Hover(texts, document.lineAt(line).range);
      },
    }),
    vscode.languages.registerCodeLensProvider(FILES, {
      onDidChangeCodeLenses: lenses.event,
      provideCodeLenses: (document) =>
        setting.noteLenses()
          ? threads.in(document).map((thread) => {
              const title = `$(note) ${threadTitle(context, thread)}`;
              const range = new vscode.Range(thread.line - 1, 0, thread.line - 1, 0);
              const target = { noteId: thread.notes[0]?.note.id };
              return new vscode.CodeLens(range, { title, command: 'autonomous.showNotesForFile', arguments: [target] });
            })
          : [],
    }),
    threads.onDidChange(() => {
      if (setting.noteLenses()) lenses.fire();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(LENS_SETTING)) lenses.fire();
    }),
  );
}
