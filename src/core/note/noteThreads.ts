/** Notes as people read them beside the code: those of one line and one scope are one thread, as in a review. */
import type { NoteRow } from '../../shared/note.ts';
import { type Lines, type NotePosition, placeNote } from './noteAnchors.ts';

/** A valid note, with the notes that it replaced. */
export interface CurrentNote {
  readonly note: NoteRow;
  /** Id of the first note that it replaced, or its own id. It does not change when the note is edited. */
  readonly root: number;
  /** Its text was different before. */
  readonly reworded: boolean;
}

export interface NoteThread extends NotePosition {
  /** The lowest id of its notes, which identifies the thread after any edit. */
  readonly root: number;
  /** Oldest first, never empty. */
  readonly notes: readonly CurrentNote[];
}

/** Valid notes with a file, by that file, oldest first. */
export function notesByFile(notes: Iterable<NoteRow>): ReadonlyMap<string, readonly CurrentNote[]> {
  const rows = [...notes];
  const replacedBy = new Map(rows.flatMap((row) => (row.superseded_by ? [[row.superseded_by, row] as const] : [])));
  const byFile = new Map<string, CurrentNote[]>();
  for (const note of rows) {
    if (note.superseded_by !== null || note.file === null) continue;
    const known = byFile.get(note.file);
    if (known === undefined) byFile.set(note.file, [withHistory(note, replacedBy)]);
    else known.push(withHistory(note, replacedBy));
  }
  for (const list of byFile.values()) list.sort((a, b) => a.root - b.root);
  return byFile;
}

function withHistory(note: NoteRow, replacedBy: ReadonlyMap<number, NoteRow>): CurrentNote {
  let root = note.id;
  let reworded = false;
  // A replacing note has the higher id. The walk ends at a damaged row with a lower one.
  for (let older = replacedBy.get(root); older !== undefined && older.id < root; older = replacedBy.get(root)) {
    root = older.id;
    reworded ||= older.content !== note.content;
  }
  return { note, root, reworded };
}

/** The threads of one file's notes (`notesByFile`) in its current text, in the order of the notes. */
export function threadsIn(notes: readonly CurrentNote[], lines: Lines): NoteThread[] {
  const threads = new Map<string, { place: NotePosition; notes: CurrentNote[] }>();
  for (const one of notes) {
    const place = placeNote(one.note, lines);
    const key = JSON.stringify([place.line, place.outdated, one.note.feature_id, one.note.category]);
    const known = threads.get(key);
    if (known === undefined) threads.set(key, { place, notes: [one] });
    else known.notes.push(one);
  }
  return [...threads.values()].map(({ place, notes: own }) => ({
    ...place,
    root: Math.min(...own.map(({ root }) => root)),
    notes: own,
  }));
}
