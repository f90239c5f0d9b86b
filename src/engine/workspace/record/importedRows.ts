/** Rows of an export, each judged by the form of its table before any of them counts. */

import { timed } from '../../../core/state/workTime.ts';
import { isFields, parseJson } from '../../../core/text/json.ts';
import { ADDED_TABLES, withAdded } from '../../../core/workspace/addedColumns.ts';
import { COLUMNS, type ColumnKind } from '../../../core/workspace/columns.ts';
import { jsonFault } from '../../../core/workspace/jsonColumns.ts';
import type { RecordRows } from '../../../core/workspace/rows.ts';
import { failure } from '../../../shared/errors.ts';
import { isNestedDeeper } from '../../../shared/jsonDepth.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../../shared/project/projects.ts';
import type { SessionRow } from '../../../shared/session.ts';
import { TABLE_NAMES, type TableName } from '../../../shared/workspace/state.ts';
import type { ImportPorts, RecordFiles } from './ports.ts';

/** Ids become file names, here or in the next export. */
const KEY = /^[A-Za-z0-9][\w.#-]{0,63}$/;
type Row = Readonly<Record<string, unknown>>;

/** The row with the columns that exports of older versions lack. */
function completed(table: TableName, row: Row): Row {
  const added = withAdded(table, row);
  const isTimed = table === 'attempts' || table === 'sessions';
  return isTimed ? (timed(added as unknown as SessionRow) as unknown as Row) : added;
}
/** Maximum nesting of a result and its wrapper. The parser recurses once per level. */
const MAX_DEPTH = 200;

export const wrong = (what: string): Error =>
  failure('INVALID_INPUT', `not a valid export: ${what}`, {
    hint: 'Repeat the export in the workspace that it came from.',
  });

/** `depth` limits the nesting for callers that recurse into the result. */
export function jsonOf(record: RecordFiles, path: string, depth?: number): readonly unknown[] {
  const data = record.files.get(path);
  const text = data === undefined ? '' : Buffer.from(data).toString('utf8');
  if (depth !== undefined && isNestedDeeper(text, depth)) throw wrong(`${path} is nested deeper than ${depth} times`);
  const value = parseJson(text);
  if (!Array.isArray(value)) throw wrong(`${path} is not a list`);
  return value;
}

function fits(kind: ColumnKind, value: unknown): boolean {
  switch (kind) {
    case 'id':
      return Number.isSafeInteger(value) && (value as number) > 0;
    case 'key':
      return typeof value === 'string' && KEY.test(value);
    case 'text':
      return value === null || typeof value === 'string';
    case 'integer':
      return value === null || Number.isSafeInteger(value);
    case 'real':
      return value === null || Number.isFinite(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'json':
      return value !== undefined;
  }
}

/** Throws INVALID_INPUT, naming file, row and column. */
export function importedRows(record: RecordFiles, checkProjectName: ImportPorts['checkProjectName']): RecordRows {
  const rows = (table: TableName): readonly unknown[] => {
    const columns = Object.entries(COLUMNS[table]) as [string, ColumnKind][];
    const ids = new Set<unknown>();
    const path = `state/${table}.json`;
    if (ADDED_TABLES.includes(table) && !record.files.has(path)) return [];
    return jsonOf(record, path, MAX_DEPTH).map((given, at) => {
      const bad = (what: string): Error => wrong(`${path}, row ${at + 1}: ${what}`);
      const row = isFields(given) ? completed(table, given) : given;
      if (!isFields(row) || Object.keys(row).length !== columns.length) throw bad('it has other columns');
      for (const [name, kind] of columns)
        if (!Object.hasOwn(row, name) || !fits(kind, row[name])) throw bad(`${name} is no ${kind}`);
      const fault = jsonFault(table, row);
      if (fault !== null) throw bad(fault);
      if (ids.has(row['id'])) throw bad('the id occurs twice');
      ids.add(row['id']);
      return row;
    });
  };
  const read = Object.fromEntries(TABLE_NAMES.map((table) => [table, rows(table)])) as unknown as RecordRows;
  for (const { id } of read.projects) checkProjectName(id);
  for (const { project_id } of read.messages)
    if (project_id !== DEFAULT_PROJECT && project_id !== MAIN_PROJECT) checkProjectName(project_id);
  return read;
}
