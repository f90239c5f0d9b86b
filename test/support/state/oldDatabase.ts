/** A database as a tool of seed 003's form wrote it. */
import initSqlJs from 'sql.js';

/** Its tables, after its migration. */
export const OLD_TABLES = [
  `CREATE TABLE features (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, description TEXT, category TEXT, testing_steps TEXT, status TEXT DEFAULT 'pending', retry_count INTEGER DEFAULT 0)`,
  'CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, feature_id INTEGER, category TEXT, content TEXT NOT NULL, created_by_session INTEGER, created_at TEXT DEFAULT CURRENT_TIMESTAMP, FOREIGN KEY (feature_id) REFERENCES features(id) ON DELETE CASCADE)',
  `CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, started_at TEXT DEFAULT CURRENT_TIMESTAMP, ended_at TEXT, status TEXT DEFAULT 'running', features_attempted INTEGER DEFAULT 0, features_completed INTEGER DEFAULT 0, input_tokens INTEGER, output_tokens INTEGER, cost_usd REAL, error_message TEXT)`,
];

/** The bytes of a database in which these statements ran. */
export async function oldDatabase(...statements: readonly string[]): Promise<Uint8Array> {
  const sql = await initSqlJs();
  const db = new sql.Database();
  for (const statement of statements) db.run(statement);
  const bytes = db.export();
  db.close();
  return bytes;
}
