/** Builds the tables as SQL: a column for every field of every row. */
import { crc32 } from 'node:zlib';
import { COLUMNS, type ColumnKind } from '../../core/workspace/columns.ts';
import { emptyState, TABLE_NAMES, type TableName } from '../../shared/workspace/state.ts';

/** In the file's header, so that such a file is recognized without opening it: "AUTO". */
export const APPLICATION_ID = 0x4155544f;

const SQL_TYPE: Record<ColumnKind, string> = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  key: 'TEXT PRIMARY KEY',
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  json: 'TEXT',
  flag: 'INTEGER',
};

/** Clauses that seed 003 declares beyond a type. */
const CLAUSES: Readonly<Record<string, string>> = {
  'features.status': "DEFAULT 'pending'",
  'features.retry_count': 'DEFAULT 0',
  'notes.content': 'NOT NULL',
  'notes.created_at': 'DEFAULT CURRENT_TIMESTAMP',
  'sessions.started_at': 'DEFAULT CURRENT_TIMESTAMP',
  'sessions.status': "DEFAULT 'running'",
  'sessions.features_attempted': 'DEFAULT 0',
  'sessions.features_completed': 'DEFAULT 0',
};

const INDEXES = [
  'CREATE INDEX idx_features_status ON features(status)',
  'CREATE INDEX idx_notes_feature ON notes(feature_id)',
  'CREATE INDEX idx_notes_category ON notes(category)',
  'CREATE INDEX idx_features_job ON features(job_id)',
  'CREATE INDEX idx_spends_day ON spends(day)',
  'CREATE INDEX idx_task_steps_task ON task_steps(task_id)',
  'CREATE INDEX idx_task_logs_task ON task_logs(task_id)',
];

export const quoted = (name: string) => `"${name}"`;

type ColumnList = readonly (readonly [string, ColumnKind])[];

const LISTS = new Map<TableName, ColumnList>(TABLE_NAMES.map((table) => [table, Object.entries(COLUMNS[table])]));

export function columnsOf(table: TableName): ColumnList {
  return LISTS.get(table) ?? [];
}

function tableSql(table: TableName): string {
  const columns = columnsOf(table).map(([name, kind]) =>
    [quoted(name), SQL_TYPE[kind], CLAUSES[`${table}.${name}`] ?? ''].join(' ').trimEnd(),
  );
  if (table === 'notes') columns.push('FOREIGN KEY (feature_id) REFERENCES features(id) ON DELETE CASCADE');
  return `CREATE TABLE ${table} (${columns.join(', ')})`;
}

const TABLES = [...TABLE_NAMES.map(tableSql), ...INDEXES, 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)'].join(
  ';\n',
);

/** Changes whenever a column or a fact changes; a file with another number is rebuilt from the events. */
export const SCHEMA_VERSION = crc32(`${TABLES} ${Object.keys(emptyState().meta)}`) & 0x7fffffff;

/** The schema of an empty database. */
export function schemaSql(): string {
  return `PRAGMA application_id = ${APPLICATION_ID};\nPRAGMA user_version = ${SCHEMA_VERSION};\n${TABLES}`;
}

const UPSERTS = new Map(TABLE_NAMES.map((table) => [table, makeUpsert(table)]));

/** Inserts a row, or replaces the one with its id at the same position. */
export function upsertSql(table: TableName): string {
  return UPSERTS.get(table) ?? '';
}

function makeUpsert(table: TableName): string {
  const names = columnsOf(table).map(([name]) => quoted(name));
  const others = names.slice(1).map((name) => `${name} = excluded.${name}`);
  const places = names.map(() => '?').join(', ');
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places}) ON CONFLICT(id) DO UPDATE SET ${others.join(', ')}`;
}
