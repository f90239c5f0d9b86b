/**
 * Converts the files of seed 003 to rows. Its database has `features` with `passes` (old form), or with `status` and
 * `retry_count` beside `notes` and `sessions`. Rows keep their ids, because notes and scripts name features by id.
 */
import { timed } from '../../core/state/workTime.ts';
import type { ImportedDraft, LastId } from '../../engine/state/storePorts.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import { FEATURE_STATUSES, type FeatureRow, type FeatureStatus } from '../../shared/job/rows.ts';
import type { NoteRow } from '../../shared/note.ts';
import { DEFAULT_PROJECT } from '../../shared/project/projects.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { PlainRow } from './database.ts';

export interface OldRows {
  readonly features: readonly PlainRow[];
  readonly notes: readonly PlainRow[];
  readonly sessions: readonly PlainRow[];
}

/** The rows of an old database, converted. */
export interface OldContent {
  readonly draft: ImportedDraft;
  /** Features that could not keep their id, as `old: new`. */
  readonly renumbered: readonly string[];
}

/** Limit of the characters of `progress.txt` that become a note. Longer notes do not fit into the prompts of agents. */
const PROGRESS_CHARACTERS = 4_000;

/** SQLite's CURRENT_TIMESTAMP: UTC without a mark. */
const SQL_TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(\.\d+)?$/;

type Ids = ReadonlyMap<number, number>;

function textOf(row: PlainRow, column: string): string | null {
  const value = row[column] ?? null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function numberOf(row: PlainRow, column: string): number | null {
  const value = row[column] ?? null;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

const countOf = (row: PlainRow, column: string) => Math.max(0, Math.trunc(numberOf(row, column) ?? 0));

function timeOf(row: PlainRow, column: string): string | null {
  const value = textOf(row, column);
  if (value === null) return null;
  const match = SQL_TIME.exec(value);
  const time = Date.parse(match === null ? value : `${match[1]}T${match[2]}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function stepsOf(row: PlainRow): string[] {
  const value = textOf(row, 'testing_steps') ?? '';
  try {
    const steps: unknown = JSON.parse(value);
    if (Array.isArray(steps)) return steps.map(String);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  return value.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** No process works on an old feature any more, so `in_progress` becomes `pending`. */
function statusOf(row: PlainRow): FeatureStatus {
  const status = textOf(row, 'status');
  if (status === null) return numberOf(row, 'passes') === 1 ? 'completed' : 'pending';
  const known = FEATURE_STATUSES.find((name) => name === status) ?? 'pending';
  return known === 'in_progress' ? 'pending' : known;
}

function feature(row: PlainRow, id: number, position: number, at: string): FeatureRow {
  const status = statusOf(row);
  return {
    id,
    job_id: null,
    phase_id: null,
    position,
    name: textOf(row, 'name') ?? textOf(row, 'description')?.slice(0, 80) ?? `Feature ${id}`,
    description: textOf(row, 'description') ?? '',
    category: textOf(row, 'category') ?? '',
    testing_steps: stepsOf(row),
    verify_commands: [],
    paths: [],
    depends_on: [],
    status,
    retry_count: countOf(row, 'retry_count'),
    feedback: null,
    failure_reason: status === 'failed' ? 'failed before the import' : null,
    crash_count: 0,
    commit: null,
    executors: null,
    candidates: [],
    created_by: 'import',
    created_at: timeOf(row, 'created_at') ?? at,
    completed_at: status === 'completed' ? (timeOf(row, 'completed_at') ?? at) : null,
  };
}

function note(row: PlainRow, id: number, features: Ids, sessions: Ids, at: string): NoteRow {
  const old = numberOf(row, 'feature_id');
  const feature_id = old === null ? null : (features.get(old) ?? null);
  const session = numberOf(row, 'created_by_session');
  return {
    id,
    feature_id,
    category: textOf(row, 'category'),
    content: textOf(row, 'content') ?? '',
    created_by_session: session === null ? null : (sessions.get(session) ?? null),
    created_by: 'import',
    created_at: timeOf(row, 'created_at') ?? at,
    file: null,
    line: null,
    anchor: null,
    // The note's feature does not exist: the note must not become a global one.
    superseded_by: old !== null && feature_id === null ? 0 : null,
  };
}

function session(row: PlainRow, id: number, at: string): SessionRow {
  const completed = textOf(row, 'status') === 'completed';
  const started_at = timeOf(row, 'started_at') ?? at;
  return timed({
    id,
    job_id: null,
    project_id: DEFAULT_PROJECT,
    parent_id: null,
    task_id: null,
    step_id: null,
    role: 'worker',
    model: 'unknown',
    executor: BUILT_IN,
    phase_id: null,
    feature_id: null,
    attempt_id: null,
    reviews: null,
    status: completed ? 'completed' : 'failed',
    started_at,
    ended_at: timeOf(row, 'ended_at') ?? started_at,
    features_attempted: countOf(row, 'features_attempted'),
    features_completed: countOf(row, 'features_completed'),
    input_tokens: numberOf(row, 'input_tokens'),
    output_tokens: numberOf(row, 'output_tokens'),
    cost_usd: numberOf(row, 'cost_usd'),
    error_message: textOf(row, 'error_message') ?? (completed ? null : 'it had not ended when it was imported'),
    turns: 0,
    notes: [],
    epoch: 0,
  });
}

interface NewIds {
  /** New ids, in the order of the rows. */
  readonly list: readonly number[];
  readonly map: Ids;
}

/** Each row keeps its id, unless an id up to `last` was assigned here before, or an earlier row has the same. */
function idsFor(rows: readonly PlainRow[], last: number): NewIds {
  const old = rows.map((row) => numberOf(row, 'id') ?? 0);
  const taken = new Set<number>();
  let highest = Math.max(last, ...old.filter(Number.isSafeInteger));
  const list = old.map((id) => {
    const keeps = Number.isSafeInteger(id) && id > last && !taken.has(id);
    const given = keeps ? id : ++highest;
    taken.add(given);
    return given;
  });
  const map = new Map<number, number>();
  old.forEach((id, index) => {
    if (!map.has(id)) map.set(id, list[index] ?? 0);
  });
  return { list, map };
}

/** `at`: ISO time for rows without a time. */
export function databaseContent(source: string, rows: OldRows, lastId: LastId, at: string): OldContent {
  const features = idsFor(rows.features, lastId('features'));
  const notes = idsFor(rows.notes, lastId('notes'));
  const sessions = idsFor(rows.sessions, lastId('sessions'));
  const draft: ImportedDraft = {
    type: 'imported',
    source,
    features: rows.features.map((row, index) => feature(row, features.list[index] ?? 0, index, at)),
    notes: rows.notes.map((row, index) => note(row, notes.list[index] ?? 0, features.map, sessions.map, at)),
    sessions: rows.sessions.map((row, index) => session(row, sessions.list[index] ?? 0, at)),
  };
  const renumbered = rows.features.flatMap((row, index) => {
    const [old, given] = [numberOf(row, 'id'), features.list[index]];
    return old === given ? [] : [`${old ?? '?'}: ${given ?? '?'}`];
  });
  return { draft, renumbered };
}

/** `progress.txt` as one global note: its end if it is long, because that tool appended to it. null if it is blank. */
export function progressDraft(source: string, text: string, lastId: LastId, at: string): ImportedDraft | null {
  const whole = text.trim();
  if (whole === '') return null;
  const left = whole.length - PROGRESS_CHARACTERS;
  const content = left <= 0 ? whole : `(${left} earlier characters: .autonomous/${source})\n${whole.slice(left)}`;
  const id = lastId('notes') + 1;
  return {
    type: 'imported',
    source,
    features: [],
    notes: [
      {
        id,
        feature_id: null,
        category: null,
        content,
        created_by_session: null,
        created_by: 'import',
        created_at: at,
        file: null,
        line: null,
        anchor: null,
        superseded_by: null,
      },
    ],
    sessions: [],
  };
}
