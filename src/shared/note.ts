/** Notes to later sessions. See `shared/job/rows.ts`. */
import type { Role } from './session.ts';

export interface NoteRow {
  readonly id: number;
  readonly feature_id: number | null;
  readonly category: string | null;
  readonly content: string;
  readonly created_by_session: number | null;
  /** Set by the engine: the role of the session that added it, or the author if it was not a session. Null for a note of an older version. */
  readonly created_by: 'steward' | 'import' | Role | null;
  readonly created_at: string;
  /** Path relative to the repository, with `/`. Null if the note is not anchored. */
  readonly file: string | null;
  readonly line: number | null;
  /** The noted line's text, to find it again when the code moves. */
  readonly anchor: string | null;
  /** Id of the note that replaces it, or 0 if it was resolved. Such a note is not given to prompts. */
  readonly superseded_by: number | null;
}
