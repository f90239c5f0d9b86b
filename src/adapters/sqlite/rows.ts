/** Converts rows to SQLite's values and back, exactly. */
import type { SqlValue } from 'sql.js';
import type { ColumnKind } from '../../core/workspace/columns.ts';
import type { TableName, Tables } from '../../shared/workspace/state.ts';
import { columnsOf } from './schema.ts';

/** SQLite text cannot contain these: NUL ends it, half a surrogate pair has no UTF-8. */
const NOT_PLAIN_TEXT = /[\0\p{Surrogate}]/u;

const text = (value: string): SqlValue =>
  NOT_PLAIN_TEXT.test(value) ? new Uint8Array(Buffer.from(value, 'utf16le')) : value;

function toSql(kind: ColumnKind, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'flag') return value === true ? 1 : 0;
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return value;
  throw new TypeError(`a ${kind} column cannot hold ${typeof value}`);
}

function fromSql(kind: ColumnKind, value: SqlValue): unknown {
  if (value === null) return null;
  if (kind === 'json') return JSON.parse(String(value));
  if (kind === 'flag') return value !== 0;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf16le') : value;
}

/** Values in the order of the table's columns. */
export function encodeRow<T extends TableName>(table: T, row: Tables[T]): SqlValue[] {
  const fields = row as unknown as Readonly<Record<string, unknown>>;
  return columnsOf(table).map(([name, kind]) => toSql(kind, fields[name]));
}

export function decodeRow<T extends TableName>(table: T, values: readonly SqlValue[]): Tables[T] {
  const fields: Record<string, unknown> = {};
  for (const [index, [name, kind]] of columnsOf(table).entries()) fields[name] = fromSql(kind, values[index] ?? null);
  return fields as unknown as Tables[T];
}
