/** Selects the notes for a feature's prompt. Pure, so that the same rows always give the same prompt. */
import type { FeatureRow } from '../../shared/job/rows.ts';
import type { NoteRow } from '../../shared/note.ts';
import { noteAuthor, noteText } from './notes.ts';

const CHARACTERS_PER_TOKEN = 4;
const DEFAULT_TOKENS = 1_500;

export type NoteScope = 'feature' | 'category' | 'global';

const SCOPES: readonly NoteScope[] = ['feature', 'category', 'global'];

export interface SelectedNotes {
  readonly ids: readonly number[];
  readonly notes: readonly NoteRow[];
  /** One line per note, in the prompt's format. */
  readonly lines: readonly string[];
}

type OfFeature = Pick<FeatureRow, 'id' | 'category'>;

/**
 * Returns the notes of the features themselves, then those of their categories, then global ones, newest first within each. Superseded and resolved
 * notes are left out. A note that does not fit into the rest of `tokens` (4 characters each) is skipped.
 */
export function selectNotes(
  features: OfFeature | readonly OfFeature[],
  notes: readonly NoteRow[],
  tokens: number = DEFAULT_TOKENS,
): SelectedNotes {
  const of = [features].flat();
  const current = notes.filter((note) => note.superseded_by === null).sort(newestFirst);
  const inOrder = SCOPES.flatMap((scope) =>
    current.filter((note) => of.some((feature) => concerns(note, feature)) && scopeOf(note) === scope),
  );
  let left = tokens * CHARACTERS_PER_TOKEN;
  const chosen: NoteRow[] = [];
  for (const note of inOrder) {
    const cost = noteLine(note).length + 1;
    if (cost > left) continue;
    left -= cost;
    chosen.push(note);
  }
  return { ids: chosen.map((note) => note.id), notes: chosen, lines: chosen.map(noteLine) };
}

/** e.g. `- [note 7, category, by worker, session 12] migrations run in name order (src/db.ts:12)` */
export function noteLine(note: NoteRow): string {
  const content = noteText(note.content);
  const line = note.line === null ? '' : `:${note.line}`;
  const place = note.file === null ? '' : ` (${noteText(note.file)}${line})`;
  return `- [note ${note.id}, ${scopeOf(note)}, by ${noteAuthor(note)}] ${content}${place}`;
}

function scopeOf(note: NoteRow): NoteScope {
  if (note.feature_id !== null) return 'feature';
  return note.category === null ? 'global' : 'category';
}

function concerns(note: NoteRow, feature: OfFeature): boolean {
  if (note.feature_id !== null) return note.feature_id === feature.id;
  return note.category === null || note.category === feature.category;
}

function newestFirst(a: NoteRow, b: NoteRow): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return b.id - a.id;
}
