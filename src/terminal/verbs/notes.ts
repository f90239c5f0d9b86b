/** `note` and `notes`: scoped memory, as in seed 003. */
import { need } from '../../core/rows.ts';
import type { NoteRow } from '../../shared/domain.ts';
import type { State } from '../../shared/state.ts';
import { type Context, print, readState, wish } from '../context.ts';
import { isDigits, parseId, usage } from '../parse.ts';
import { visibleBlock } from '../text/visible.ts';

export interface NoteOptions {
  readonly category?: string;
  readonly global?: true;
  readonly file?: string;
  readonly line?: string;
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
      'A text that begins with a number goes in quotes.',
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
  const { noteId } = await wish(context, 'addNote', { ...scope, file, line });
  print(context, { note: { id: noteId } }, 'Note added');
  return 0;
}

/**
 * Notes that still hold, oldest first: those of a feature, of its category (or the given one) and the global ones;
 * without a feature the global ones.
 */
export function notesFor(state: State, featureId: number | null, category: string | null): NoteRow[] {
  const own = featureId === null ? null : need(state, 'features', featureId);
  const shared = category ?? own?.category ?? null;
  return [...state.notes.values()]
    .filter((note) => {
      if (note.superseded_by !== null) return false;
      if (note.feature_id !== null) return note.feature_id === featureId;
      return note.category === null || note.category === shared;
    })
    .sort((a, b) => a.id - b.id);
}

export async function notesVerb(
  context: Context,
  id: string | undefined,
  category: string | undefined,
): Promise<number> {
  const featureId = id === undefined ? null : parseId(id, 'feature');
  const notes = notesFor(await readState(context), featureId, category ?? null);
  const lines = notes.map((note) => `[${note.created_at}] ${visibleBlock(note.content)}`);
  print(context, { notes }, lines.join('\n'));
  return 0;
}
