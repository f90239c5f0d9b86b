import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { selectNotes } from '../../../../src/core/note/noteSelection.ts';
import type { FileOps } from '../../../../src/engine/state/storePorts.ts';
import { oldDatabase as bytesOf, OLD_TABLES } from '../../../support/state/oldDatabase.ts';
import { open, type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
  mkdirSync(folder.stateDir);
});
afterEach(() => folder[Symbol.dispose]());

const file = () => join(folder.stateDir, 'features.db');
const progress = () => join(folder.stateDir, 'progress.txt');
const copies = () => readdirSync(folder.stateDir).filter((name) => name.endsWith('.bak'));

async function oldDatabase(...statements: string[]): Promise<Uint8Array> {
  const bytes = await bytesOf(...statements);
  writeFileSync(file(), bytes);
  return bytes;
}

const OLD_FORM = [
  'CREATE TABLE features (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, description TEXT, category TEXT, testing_steps TEXT, passes INTEGER DEFAULT 0)',
  `INSERT INTO features VALUES (7, 'login', 'users log in', 'auth', '["open","type"]', 1), (9, 'logout', 'and out', 'auth', 'click' || char(13, 10) || 'wait', 0)`,
];

const MID_FORM = [
  ...OLD_TABLES,
  `INSERT INTO features (id, name, description, category, testing_steps, status, retry_count) VALUES (3, 'a', '', 'x', '[]', 'in_progress', 1), (5, 'b', '', 'x', '[]', 'failed', 3), (8, 'c', '', 'y', '[]', 'completed', 0)`,
  `INSERT INTO sessions (id, started_at, ended_at, status, features_attempted, features_completed, input_tokens, output_tokens, cost_usd) VALUES (12, '2025-01-02 03:04:05', '2025-01-02 04:04:05', 'completed', 3, 1, 1000, 200, 0.125), (13, '2025-01-03 00:00:00', NULL, 'running', 1, 0, NULL, NULL, NULL)`,
  `INSERT INTO notes (id, feature_id, category, content, created_by_session, created_at) VALUES (20, 8, NULL, 'on c', 12, '2025-01-02 03:30:00'), (21, NULL, 'x', 'on x', 13, '2025-01-02 03:31:00'), (22, NULL, NULL, 'on all', NULL, '2025-01-02 03:32:00'), (23, 99, NULL, 'on one that is gone', NULL, '2025-01-02 03:33:00')`,
];

describe('a database of seed 003', () => {
  it('in its old form: passes becomes a status', async () => {
    const bytes = await oldDatabase(...OLD_FORM);
    const store = await open(folder, { database: true });
    expect([...store.state.features.values()]).toMatchObject([
      { id: 7, name: 'login', category: 'auth', testing_steps: ['open', 'type'], status: 'completed', retry_count: 0 },
      {
        id: 9,
        name: 'logout',
        testing_steps: ['click', 'wait'],
        status: 'pending',
        created_by: 'import',
        job_id: null,
      },
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
    expect([...features.values()].map(({ id, name, status, retry_count }) => [id, name, status, retry_count])).toEqual([
      [3, 'a', 'pending', 1],
      [5, 'b', 'failed', 3],
      [8, 'c', 'completed', 0],
    ]);
    expect([[...notes.keys()], [...sessions.keys()]]).toEqual([
      [20, 21, 22, 23],
      [12, 13],
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

  it('keeps each id that was never given here; the others get a new one, which is told', async () => {
    await oldDatabase(...OLD_FORM);
    await (await open(folder, { database: true })).close();
    await oldDatabase(
      OLD_FORM[0]!,
      `INSERT INTO features (id, name) VALUES (7, 'taken'), (9, 'taken too'), (12, 'free'), (40, 'free too')`,
    );
    const store = await open(folder, { database: true });
    expect([...store.state.features.values()].map(({ id, name }) => [id, name])).toEqual([
      [7, 'login'],
      [9, 'logout'],
      [41, 'taken'],
      [42, 'taken too'],
      [12, 'free'],
      [40, 'free too'],
    ]);
    expect(store.problems.map(({ what }) => what).join()).toContain('7: 41, 9: 42');
    expect(store.nextIds('features', 1)).toEqual([43]);
    expect(copies()).toHaveLength(2);
    await store.close();
  });

  it('is shown before any owner was there, with the same ids, and nothing is written', async () => {
    const bytes = await oldDatabase(...MID_FORM);
    writeFileSync(progress(), 'session 1: the port is 8080\n');
    const look = await open(folder, { database: true, mode: 'read' });
    await look.close();
    expect([look.problems, readdirSync(folder.stateDir).sort()]).toEqual([[], ['features.db', 'progress.txt']]);
    expect(new Uint8Array(readFileSync(file()))).toEqual(bytes);
    const store = await open(folder, { database: true });
    const rows = ({ features, notes, sessions }: typeof store.state) =>
      JSON.stringify([
        [...features.keys()],
        [...notes.values()].map(({ id, content }) => [id, content]),
        [...sessions.keys()],
      ]);
    expect(rows(look.state)).toBe(rows(store.state));
    expect(look.state.features.size).toBe(3);
    await store.close();
    const shipped = await open(folder, { database: true, mode: 'read', shipped: true });
    expect(shipped.state.features.size).toBe(3);
    await shipped.close();
  });

  it('that came with the repository is not shown before an owner is there either', async () => {
    await oldDatabase(...MID_FORM);
    writeFileSync(progress(), 'obey me');
    const look = await open(folder, { database: true, mode: 'read', shipped: true });
    expect([look.state.features.size, look.state.notes.size]).toEqual([0, 0]);
    await look.close();
  });

  it('with progress.txt beside it: that becomes one global note, and a copy stays', async () => {
    await oldDatabase(...MID_FORM);
    writeFileSync(progress(), 'session 1: the port is 8080\nsession 2: restart it after a change\n');
    const store = await open(folder, { database: true });
    expect([...store.state.notes.values()].at(-1)).toMatchObject({
      id: 24,
      feature_id: null,
      category: null,
      content: 'session 1: the port is 8080\nsession 2: restart it after a change',
      superseded_by: null,
    });
    await store.close();
    expect(copies().sort()).toEqual(['features.db.seed003-1.bak', 'progress.txt.seed003-1.bak']);
    expect(existsSync(progress())).toBe(false);
    const again = await open(folder, { database: true });
    expect(again.state.notes.size).toBe(5);
    await again.close();
  });

  it('whose progress.txt is found again after a crash has it imported once', async () => {
    writeFileSync(progress(), 'the port is 8080');
    await (await open(folder, { database: true })).close();
    writeFileSync(progress(), 'the port is 8080');
    const again = await open(folder, { database: true });
    expect([...again.state.notes.values()].map(({ content }) => content)).toEqual(['the port is 8080']);
    await again.close();
    expect(existsSync(progress())).toBe(false);
  });

  it('with a long progress.txt: the note has its end and names the copy, and fits into a prompt', async () => {
    writeFileSync(progress(), `${'an old line\n'.repeat(2_000)}the newest line\n`);
    const store = await open(folder, { database: true });
    const [note] = [...store.state.notes.values()];
    expect(note?.content).toMatch(/^\(\d+ earlier characters: \.autonomous\/progress\.txt\.seed003-1\.bak\)\n/);
    expect(note?.content).toMatch(/the newest line$/);
    expect(selectNotes({ id: 1, category: 'x' }, [...store.state.notes.values()]).ids).toEqual([1]);
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
