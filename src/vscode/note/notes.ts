/** Notes beside the code: add, reply, edit, resolve, change the scope, and list those that concern a file. */
import * as vscode from 'vscode';
import type { Clock } from '../../shared/clock.ts';
import { given, registerCommand } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { registerNoteEditing, replaceNote } from './editNotes.ts';
import { featuresByFile } from './featuresByFile.ts';
import { markNotedFiles } from './notedFiles.ts';
import { registerNoteHints } from './noteHints.ts';
import { noteThreads } from './noteThreads.ts';
import { askScope } from './scope.ts';

/**
 * `autonomous.addNote` takes a comment that is being written, `{featureId}`, or nothing: then it adds a note at the cursor's line.
 * `autonomous.showNotesForFile` takes a file's resource, `{noteId}`, or nothing: then it uses the active editor.
 */
export function registerNotes(context: HostContext, clock: Clock): vscode.Disposable {
  const threads = noteThreads(context, clock);
  const touched = featuresByFile(context);
  return vscode.Disposable.from(
    threads,
    registerNoteEditing(context, threads),
    registerNoteHints(context, threads),
    markNotedFiles(context, clock, touched),
    registerCommand(context, 'autonomous.addNote', async (target) => {
      const thread = given(target, 'thread') as vscode.CommentThread | undefined;
      const text = given(target, 'text');
      const featureId = given(target, 'featureId');
      const { addAt, addAtCursor, addToFeature, reply } = await import('./addNote.ts');
      if (typeof featureId === 'number') return addToFeature(context, featureId);
      const begun = thread !== undefined && typeof text === 'string';
      const noted = threads.shownAs(thread);
      if (begun && noted !== null) return reply(context, noted, thread, text);
      const added = await (begun ? addAt(context, touched, thread, text) : addAtCursor(context, touched));
      if (added !== null) threads.reveal(added);
    }),
    registerCommand(context, 'autonomous.resolveNote', async (thread) => {
      for (const { note } of threads.shownAs(thread)?.notes ?? []) {
        await context.engine.request('resolveNote', { noteId: note.id });
      }
    }),
    registerCommand(context, 'autonomous.changeNoteScope', async (thread) => {
      const notes = threads.shownAs(thread)?.notes ?? [];
      const file = notes[0]?.note.file;
      if (file === undefined) return;
      const scope = await askScope(context.engine.state, file === null ? [] : await touched(file));
      if (scope === undefined) return;
      for (const { note } of notes) await replaceNote(context, note, scope);
    }),
    registerCommand(context, 'autonomous.showNotesForFile', async (target) => {
      const { showNotes } = await import('./showNotes.ts');
      await showNotes(context, threads, touched, target);
    }),
  );
}
