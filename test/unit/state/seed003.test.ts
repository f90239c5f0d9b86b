import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files.ts';
import type { FileOps } from '../../../src/engine/ports.ts';
import { open, type StateFolder, stateFolder } from '../../support/stateFolder.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
  mkdirSync(folder.stateDir);
});
afterEach(() => folder[Symbol.dispose]());

const file = () => join(folder.stateDir, 'features.db');
const copies = () => readdirSync(folder.stateDir).filter((name) => name.endsWith('.bak'));

async function oldDatabase(...statements: string[]): Promise<Uint8Array> {
  const sql = await initSqlJs();
  const db = new sql.Database();
  for (const statement of statements) db.run(statement);
  const bytes = db.export();
  db.close();
  writeFileSync(file(), bytes);
  return bytes;
}

const OLD_FORM = [
  'CREATE TABLE features (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, description TEXT, category TEXT, testing_steps TEXT, passes INTEGER DEFAULT 0)',
  `INSERT INTO features VALUES (7, 'login', 'users log in', 'auth', '["open","type"]', 1), (9, 'logout', 'and out', 'auth', 'click', 0)`,
];

const MID_FORM = [
  `CREATE TABLE features (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, description TEXT, category TEXT, testing_steps TEXT, status TEXT DEFAULT 'pending', retry_count INTEGER DEFAULT 0)`,
  'CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, feature_id INTEGER, category TEXT, content TEXT NOT NULL, created_by_session INTEGER, created_at TEXT DEFAULT CURRENT_TIMESTAMP, FOREIGN KEY (feature_id) REFERENCES features(id) ON DELETE CASCADE)',
  `CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, started_at TEXT DEFAULT CURRENT_TIMESTAMP, ended_at TEXT, status TEXT DEFAULT 'running', features_attempted INTEGER DEFAULT 0, features_completed INTEGER DEFAULT 0, input_tokens INTEGER, output_tokens INTEGER, cost_usd REAL, error_message TEXT)`,
  `INSERT INTO features (id, name, description, category, testing_steps, status, retry_count) VALUES (3, 'a', '', 'x', '[]', 'in_progress', 1), (5, 'b', '', 'x', '[]', 'failed', 3), (8, 'c', '', 'y', '[]', 'completed', 0)`,
  `INSERT INTO sessions (id, started_at, ended_at, status, features_attempted, features_completed, input_tokens, output_tokens, cost_usd) VALUES (12, '2025-01-02 03:04:05', '2025-01-02 04:04:05', 'completed', 3, 1, 1000, 200, 0.125), (13, '2025-01-03 00:00:00', NULL, 'running', 1, 0, NULL, NULL, NULL)`,
  `INSERT INTO notes (id, feature_id, category, content, created_by_session, created_at) VALUES (20, 8, NULL, 'on c', 12, '2025-01-02 03:30:00'), (21, NULL, 'x', 'on x', 13, '2025-01-02 03:31:00'), (22, NULL, NULL, 'on all', NULL, '2025-01-02 03:32:00'), (23, 99, NULL, 'on one that is gone', NULL, '2025-01-02 03:33:00')`,
];

describe('a database of seed 003', () => {
  it('in its old form: passes becomes a status', async () => {
    const bytes = await oldDatabase(...OLD_FORM);
    const store = await open(folder, { database: true });
    expect([...store.state.features.values()]).toMatchObject([
      { id: 1, name: 'login', category: 'auth', testing_steps: ['open', 'type'], status: 'completed', retry_count: 0 },
      { id: 2, name: 'logout', testing_steps: ['click'], status: 'pending', created_by: 'import', job_id: null },
    ]);
    await store.close();
    expect(copies()).toEqual(['features.db.seed003-1.bak']);
    expect(new Uint8Array(readFileSync(join(folder.stateDir, copies()[0]!)))).toEqual(bytes);
    const again = await open(folder, { database: true });
    expect(again.state.features.size).toBe(2);
    expect(copies()).toHaveLength(1);
    await again.close();
  });

  it('that came with the repository is kept aside and not taken in', async () => {
    await oldDatabase(...MID_FORM);
    const store = await open(folder, { database: true, shipped: true });
    expect([store.state.features.size, store.state.notes.size]).toEqual([0, 0]);
    await store.close();
    expect(store.problems.map((problem) => problem.what).join()).toContain('it came with the repository');
    expect(copies()).toEqual(['features.db.seed003-1.bak']);
  });

  it('in its later form: notes and sessions still belong to the right feature', async () => {
    await oldDatabase(...MID_FORM);
    const store = await open(folder, { database: true });
    const { features, notes, sessions } = store.state;
    expect([...features.values()].map(({ name, status, retry_count }) => [name, status, retry_count])).toEqual([
      ['a', 'pending', 1],
      ['b', 'failed', 3],
      ['c', 'completed', 0],
    ]);
    const note = (content: string) => [...notes.values()].find((each) => each.content === content)!;
    expect(features.get(note('on c').feature_id!)?.name).toBe('c');
    expect(sessions.get(note('on c').created_by_session!)).toMatchObject({
      status: 'completed',
      cost_usd: 0.125,
      input_tokens: 1000,
      started_at: '2025-01-02T03:04:05.000Z',
    });
    expect(note('on x')).toMatchObject({ feature_id: null, category: 'x', created_at: '2025-01-02T03:31:00.000Z' });
    expect(note('on all')).toMatchObject({ feature_id: null, category: null, superseded_by: null });
    expect(note('on one that is gone')).toMatchObject({ feature_id: null, superseded_by: 0 });
    expect(sessions.get(note('on x').created_by_session!)).toMatchObject({
      status: 'failed',
      ended_at: expect.any(String),
    });
    await store.close();
  });

  it('is not taken in twice when the process dies before the new database is written', async () => {
    const bytes = await oldDatabase(...MID_FORM);
    const store = await open(folder, { database: true });
    await store.close();
    writeFileSync(file(), bytes);
    const again = await open(folder, { database: true });
    expect(again.state.features.size).toBe(3);
    expect(copies()).toHaveLength(1);
    await again.close();
  });

  it('beside rows that are there already, gets ids of its own', async () => {
    await oldDatabase(...OLD_FORM);
    await (await open(folder, { database: true })).close();
    await oldDatabase(...MID_FORM);
    const store = await open(folder, { database: true });
    expect([...store.state.features.keys()]).toEqual([1, 2, 3, 4, 5]);
    expect(copies()).toHaveLength(2);
    await store.close();
  });

  it('any other file is kept aside, and the work goes on', async () => {
    writeFileSync(file(), 'this is no database');
    const store = await open(folder, { database: true });
    expect(store.problems).toEqual([
      { file: 'features.db', line: null, what: expect.stringContaining('unknown-1.bak') },
    ]);
    await store.close();
    expect(copies()).toEqual(['features.db.unknown-1.bak']);
    const damaged = await oldDatabase(...OLD_FORM);
    writeFileSync(file(), damaged.slice(0, 4096));
    const again = await open(folder, { database: true });
    expect(again.state.features.size).toBe(0);
    expect(again.problems).toHaveLength(1);
    await again.close();
  });

  it('is not touched when no copy of it can be made', async () => {
    const bytes = await oldDatabase(...OLD_FORM);
    await (await open(folder)).close();
    const ops: FileOps = {
      ...nodeFiles,
      create: (path, data) =>
        path.endsWith('.bak') ? Promise.reject(new Error('full')) : nodeFiles.create(path, data),
    };
    await expect(open(folder, { database: true, ops })).rejects.toMatchObject({ code: 'DISK' });
    expect(new Uint8Array(readFileSync(file()))).toEqual(bytes);
  });
});
