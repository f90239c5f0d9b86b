/** Wraps sql.js, which no other file imports: a database in memory, and its bytes. */
import type { Database as SqlDatabase, SqlJsStatic, SqlValue, Statement } from 'sql.js';
import { TABLE_NAMES, type TableName, type Tables } from '../../shared/workspace/state.ts';
import { decodeRow, encodeRow } from './rows.ts';
import { columnsOf, quoted, schemaSql, upsertSql } from './schema.ts';

let library: Promise<SqlJsStatic> | null = null;

/** sql.js needs about 30 ms to start, so it is loaded at first use. */
function sqlJs(wasmFile: string | undefined): Promise<SqlJsStatic> {
  library ??= import('sql.js').then(({ default: init }) =>
    init(wasmFile === undefined ? {} : { locateFile: () => wasmFile }),
  );
  return library;
}

export type PlainRow = Readonly<Record<string, SqlValue>>;

export class Database {
  readonly #db: SqlDatabase;
  readonly #statements = new Map<string, Statement>();

  private constructor(db: SqlDatabase) {
    this.#db = db;
  }

  /** `bytes`: a database file, or null for a new one with the tables of this schema. */
  static async open(bytes: Uint8Array | null, wasmFile: string | undefined): Promise<Database> {
    const { Database: Sql } = await sqlJs(wasmFile);
    const db = new Sql(bytes);
    if (bytes === null) db.run(schemaSql());
    return new Database(db);
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  begin(): void {
    this.#db.run('BEGIN');
  }

  commit(): void {
    this.#db.run('COMMIT');
  }

  put<T extends TableName>(table: T, row: Tables[T]): void {
    this.#statement(upsertSql(table)).run(encodeRow(table, row));
  }

  drop(table: TableName, id: string | number): void {
    this.#statement(`DELETE FROM ${table} WHERE id = ?`).run([id]);
  }

  setMeta(key: string, value: string): void {
    this.#statement('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run([key, value]);
  }

  meta(): ReadonlyMap<string, string> {
    const rows = this.#db.exec('SELECT key, value FROM meta')[0]?.values ?? [];
    return new Map(rows.map(([key, value]) => [String(key), String(value)]));
  }

  /** In the order of their first insertion. */
  *rows<T extends TableName>(table: T): Generator<Tables[T]> {
    const names = columnsOf(table).map(([name]) => quoted(name));
    const statement = this.#db.prepare(`SELECT ${names.join(', ')} FROM ${table} ORDER BY rowid`);
    try {
      while (statement.step()) yield decodeRow(table, statement.get());
    } finally {
      statement.free();
    }
  }

  /** Highest id that each table ever assigned. */
  sequences(): Map<TableName, number> {
    const rows = this.#db.exec('SELECT name, seq FROM sqlite_sequence')[0]?.values ?? [];
    const known = new Map(rows.map(([name, seq]) => [String(name), Number(seq)]));
    return new Map(TABLE_NAMES.flatMap((table) => (known.has(table) ? [[table, known.get(table) ?? 0] as const] : [])));
  }

  /** Rows of any table of any database, by column name; empty if there is no such table. */
  plainRows(table: string): PlainRow[] {
    const found = this.#db.exec('SELECT 1 FROM sqlite_master WHERE type = ? AND name = ?', ['table', table]);
    if (found.length === 0) return [];
    const result = this.#db.exec(`SELECT * FROM ${quoted(table)} ORDER BY rowid`)[0];
    return (result?.values ?? []).map((values) =>
      Object.fromEntries((result?.columns ?? []).map((column, index) => [column, values[index] ?? null])),
    );
  }

  /** The file's bytes. Takes about 1 ms for each MB, without a break; frees the statements and resets pragmas. */
  bytes(): Uint8Array {
    this.#statements.clear();
    return this.#db.export();
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}
