/** Notes to later sessions. See `shared/job/rows.ts`. */
import type { Role } from './session.ts';

export interface NoteRow {
  readonly id: number;
  readonly feature_id: number | null;
  readonly category: string | null;
  readonly content: string;
  readonly created_by_session: number | null;
  /** Set by the engine. The role of the session that added it, or who added it without one. null for a note of an older version. */
  readonly created_by: 'steward' | 'import' | Role | null;
  readonly created_at: string;
  /** Path relative to the repository, with `/`; null: not anchored. */
  readonly file: string | null;
  readonly line: number | null;
  /** The noted line's text, to find it again when the code moves. */
  readonly anchor: string | null;
  /** Id of the note that replaces it, or 0 when it was resolved; such a note is no longer given to prompts. */
  readonly superseded_by: number | null;
}
