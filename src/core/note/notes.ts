/** Decides which notes belong to a feature, and formats a note with its author. */
import { minuteText } from '../../shared/clock.ts';
import type { NoteRow } from '../../shared/note.ts';
import type { State } from '../../shared/workspace/state.ts';

/** The valid notes of the feature, of its category and the global ones, oldest first. Nulls leave a scope out. */
export function notesFor(state: State, featureId: number | null, category: string | null): NoteRow[] {
  return [...state.notes.values()]
    .filter((note) => {
      if (note.superseded_by !== null) return false;
      if (note.feature_id !== null) return note.feature_id === featureId;
      return note.category === null || note.category === category;
    })
    .sort((a, b) => a.id - b.id);
}

const AUTHORS: Readonly<Record<NonNullable<NoteRow['created_by']>, string>> = {
  steward: 'steward',
  import: 'import',
  planner: 'planner',
  worker: 'worker',
  reviewer: 'reviewer',
  summarizer: 'summarizer',
  project: 'project agent',
  subagent: 'subagent',
  main: 'main agent',
  task: 'task agent',
};

/** e.g. `worker, session 12`. Only the engine sets these fields: an author in the note's text is only text. */
export function noteAuthor({
  created_by,
  created_by_session,
}: Pick<NoteRow, 'created_by' | 'created_by_session'>): string {
  // A row of an export may name anything.
  const author = created_by !== null && Object.hasOwn(AUTHORS, created_by) ? AUTHORS[created_by] : 'unknown author';
  return created_by_session === null ? author : `${author}, session ${created_by_session}`;
}

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Later lines are indented, so that no line of a note can pass for another note. */
export function noteText(content: string): string {
  return content.trim().replaceAll(LINE_END, '\n  ');
}

/** e.g. `[2026-11-02T12:00:00.000Z] worker, session 12: migrations run in name order` */
export function noteLine(note: NoteRow): string {
  return dated(note, note.created_at);
}

/** The line for models, with the time in their format. */
export function noteLineForModel(note: NoteRow): string {
  return dated(note, minuteText(note.created_at));
}

function dated(note: NoteRow, at: string): string {
  return `[${at}] ${noteAuthor(note)}: ${noteText(note.content)}`;
}
