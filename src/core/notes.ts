/** Which notes belong to a feature, and how seed 003 prints one. */
import type { NoteRow } from '../shared/domain.ts';
import type { State } from '../shared/state.ts';

/** The feature's, its category's and the global notes that still hold, oldest first. Nulls leave a scope out. */
export function notesFor(state: State, featureId: number | null, category: string | null): NoteRow[] {
  return [...state.notes.values()]
    .filter((note) => {
      if (note.superseded_by !== null) return false;
      if (note.feature_id !== null) return note.feature_id === featureId;
      return note.category === null || note.category === category;
    })
    .sort((a, b) => a.id - b.id);
}

export function noteLine(note: NoteRow): string {
  return `[${note.created_at}] ${note.content}`;
}
