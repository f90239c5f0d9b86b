/** `note` and `notes`: scoped memory, as in seed 003. */
import { resolve } from 'node:path';
import { anchorOf, linesOf } from '../core/note/noteAnchors.ts';
import { noteLine, notesFor } from '../core/note/notes.ts';
import { need } from '../core/state/rows.ts';
import { type Context, print, readState, request } from './screen/context.ts';
import { isDigits, parseId, usage } from './text/parse.ts';
import { visibleBlock } from './text/visible.ts';

export interface NoteOptions {
  readonly category?: string;
  readonly global?: true;
  readonly file?: string;
  readonly line?: string;
  /** The note that the new one takes the place of. */
  readonly replaces?: string;
}

export interface NotesOptions {
  readonly ids?: true;
  /** Id of a note to resolve. */
  readonly resolve?: string;
}

interface NoteScope {
  readonly featureId: number | null;
  readonly category: string | null;
  readonly content: string;
}

/** The words of `note`: an id and a text, or a text under `--category` or `--global`. */
export function noteScope(words: readonly string[], options: NoteOptions): NoteScope {
  const [first = '', ...rest] = words;
  const category = options.category ?? null;
  if (category !== null && options.global === true)
    throw usage('a note has one scope: --category or --global, not both');
  const scoped = category !== null || options.global === true;
  if (scoped && isDigits(first) && rest.length > 0) {
    throw usage(
      'a note has one scope: a feature, --category or --global',
      'Put a text that starts with a number in quotes.',
    );
  }
  if (category === '') throw usage('the category is empty');
  const featureId = scoped ? null : parseId(first, 'feature');
  const content = (scoped ? words : rest).join(' ').trim();
  if (content === '') throw usage('the note is empty');
  return { featureId, category, content };
}

export async function noteVerb(context: Context, words: readonly string[], options: NoteOptions): Promise<number> {
  const scope = noteScope(words, options);
  if (options.line !== undefined && options.file === undefined) throw usage('--line needs --file');
  const file = options.file ?? null;
  const line = options.line === undefined ? null : parseId(options.line, 'line');
  const supersedes = options.replaces === undefined ? null : parseId(options.replaces, 'note');
  const anchor = file === null || line === null ? null : await lineText(context, file, line);
  const { noteId } = await request(context, 'addNote', { ...scope, file, line, anchor, supersedes });
  print(context, { note: { id: noteId } }, 'Note added');
  return 0;
}

/** The content of the noted line, to find it again when the code moves. Null if it cannot be read. */
async function lineText({ deps, workspace }: Context, file: string, line: number): Promise<string | null> {
  try {
    return anchorOf(linesOf(await deps.io.readFile(resolve(workspace.place.folder, file))).at(line - 1));
  } catch (thrown) {
    // A note about a file that does not exist (yet) is stored without the line.
    if (thrown instanceof Error) return null;
    throw thrown;
  }
}

/** Prints the notes of a feature, of its category (or the given one) and the global ones; without a feature, the global ones. */
export async function notesVerb(
  context: Context,
  id: string | undefined,
  category: string | undefined,
  options: NotesOptions,
): Promise<number> {
  if (options.resolve !== undefined) return resolveNote(context, options.resolve);
  const featureId = id === undefined ? null : parseId(id, 'feature');
  const state = await readState(context);
  const own = featureId === null ? null : need(state, 'features', featureId).category;
  const notes = notesFor(state, featureId, category ?? own);
  const lines = notes.map((note) => `${options.ids === true ? `${note.id} ` : ''}${visibleBlock(noteLine(note))}`);
  print(context, { notes }, lines.join('\n'));
  return 0;
}

/** Resolves a note: it stays stored, but is not given to sessions any more. */
async function resolveNote(context: Context, id: string): Promise<number> {
  const noteId = parseId(id, 'note');
  await request(context, 'resolveNote', { noteId });
  print(context, { note: { id: noteId } }, `Resolved note ${noteId}`);
  return 0;
}
