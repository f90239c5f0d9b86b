import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TABLE_NAMES } from '../../../../src/shared/workspace/state.ts';
import { arbitraryState, tablesWithNumbers } from '../../../support/state/arbitraryRows.ts';
import { faultyFiles } from '../../../support/state/faultyFiles.ts';
import { open, projectionOf, type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';
import { unsyncedFiles } from '../../../support/state/unsyncedFiles.ts';
import { amount } from '../../../support/suite/proof.ts';
import { fc } from '../../../support/suite/property.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
});
afterEach(() => folder[Symbol.dispose]());

const project = (id: string) => ({ type: 'project_created', project: { id, model: null, workdir: null } }) as const;
const at = (seq: number) => ({ epoch: 1, seq, mac: 'f'.repeat(32) });
const file = () => join(folder.stateDir, 'features.db');
const viaDatabase = { database: true, replayBytes: 0 } as const;

describe('the database', () => {
  it('gives back exactly the state that it was given, changed rows and dropped rows included', async () => {
    await open(folder).then((store) => store.close());
    await fc.assert(
      fc.asyncProperty(arbitraryState, arbitraryState, async (first, second) => {
        const projection = projectionOf(folder, { ops: unsyncedFiles });
        const state = structuredClone(first);
        projection.follow(state, at(1));
        await projection.flush();
        for (const table of TABLE_NAMES) {
          const [rows, next] = [
            state[table] as Map<string | number, never>,
            second[table] as Map<string | number, never>,
          ];
          for (const id of [...rows.keys()].slice(1)) {
            rows.delete(id);
            projection.apply([{ table, drop: id } as never], at(2));
          }
          for (const [id, put] of next) {
            rows.set(id, put);
            projection.apply([{ table, put } as never], at(3));
          }
        }
        projection.apply([], at(4));
        await projection.close();
        expect(projection.problems).toEqual([]);
        const back = projectionOf(folder);
        const loaded = await back.load();
        expect(back.problems).toEqual([]);
        expect(loaded?.state).toEqual(state);
        expect(loaded?.at).toEqual(at(4));
        for (const table of tablesWithNumbers) {
          const highest = Math.max(0, ...([...first[table].keys()] as number[]));
          expect(loaded?.sequences.get(table) ?? 0).toBeGreaterThanOrEqual(highest);
        }
        await back.close();
      }),
      { numRuns: amount({ short: 8, long: 500 }) },
    );
  });

  it('has the tables, columns and indexes of seed 003, for any SQLite tool', async () => {
    const store = await open(folder, { database: true });
    await store.close();
    const sql = await initSqlJs();
    const db = new sql.Database(readFileSync(file()));
    const columns = (table: string) =>
      db.exec(`PRAGMA table_info(${table})`)[0]?.values.map(([, name, type]) => `${name} ${type}`) ?? [];
    expect(columns('features')).toEqual(
      expect.arrayContaining(['id INTEGER', 'name TEXT', 'testing_steps TEXT', 'status TEXT', 'retry_count INTEGER']),
    );
    expect(columns('notes')).toEqual(
      expect.arrayContaining(['feature_id INTEGER', 'category TEXT', 'content TEXT', 'created_by_session INTEGER']),
    );
    expect(columns('sessions')).toEqual(expect.arrayContaining(['features_attempted INTEGER', 'cost_usd REAL']));
    const names = db.exec("SELECT name FROM sqlite_master WHERE type = 'index'")[0]?.values.flat();
    expect(names).toEqual(expect.arrayContaining(['idx_features_status', 'idx_notes_feature', 'idx_notes_category']));
    expect(db.exec('SELECT status, COUNT(*) FROM features GROUP BY status')).toEqual([]);
    expect(db.exec("SELECT value FROM meta WHERE key = 'last_seq'")[0]?.values).toEqual([['1']]);
    db.close();
  });

  it('with the tail of the log gives the same state as the log alone', async () => {
    const store = await open(folder, { database: true });
    await store.commit(project('a'));
    await store.close();
    const next = await open(folder, { ...viaDatabase, segmentBytes: 300 });
    for (const id of ['b', 'c', 'd']) await next.commit(project(id));
    const [fromBoth, fromEvents] = [
      await open(folder, { ...viaDatabase, mode: 'read' }),
      await open(folder, { mode: 'read' }),
    ];
    expect(fromBoth.state).toEqual(fromEvents.state);
    expect([...fromBoth.state.projects.keys()]).toEqual(['a', 'b', 'c', 'd']);
    expect(fromBoth.problems).toEqual([]);
    await next.close();
    const again = await open(folder, viaDatabase);
    expect([...again.state.projects.keys()]).toEqual(['a', 'b', 'c', 'd']);
    await again.close();
  });

  it.each([
    ['flipped', (bytes: Buffer) => bytes.fill(1, 5000, 5001)],
    ['cut', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['of another schema', (bytes: Buffer) => bytes.fill(9, 60, 64)],
  ])('%s, is not believed but rebuilt', async (_what, damage) => {
    const store = await open(folder, { database: true });
    await store.commit(project('a'));
    await store.close();
    writeFileSync(file(), damage(readFileSync(file())));
    const again = await open(folder, viaDatabase);
    expect([...again.state.projects.keys()]).toEqual(['a']);
    expect(again.problems).toContainEqual(expect.objectContaining({ file: 'features.db' }));
    await again.close();
    const third = await open(folder, viaDatabase);
    expect(third.problems).toEqual([]);
    await third.close();
    expect(readdirSync(folder.stateDir).filter((name) => name.includes('.bak'))).toEqual([]);
  });

  it('edited by hand, with words that nobody committed, is not obeyed', async () => {
    const store = await open(folder, { database: true });
    await store.commit(project('a'));
    await store.close();
    const sql = await initSqlJs();
    const db = new sql.Database(readFileSync(file()));
    db.run("INSERT INTO projects (id, status) VALUES ('planted', 'active')");
    writeFileSync(file(), db.export());
    const again = await open(folder, viaDatabase);
    expect([...again.state.projects.keys()]).toEqual(['a']);
    await again.close();
  });

  it('that cannot be written harms no commit, and is written when it can be', async () => {
    for (let n = 1; n <= 6; n++) {
      using place = stateFolder();
      const faulty = faultyFiles(unsyncedFiles);
      const store = await open(place);
      const projection = projectionOf(place, { ops: faulty.ops });
      projection.follow(store.state, at(1));
      faulty.arm(n, 'ENOSPC');
      await projection.flush();
      await store.commit(project('a'));
      projection.apply([{ table: 'projects', put: store.state.projects.get('a')! }], at(2));
      await projection.flush();
      await Promise.all([store.close(), projection.close()]);
      const back = projectionOf(place);
      expect((await back.load())?.state.projects.has('a')).toBe(true);
      await back.close();
      expect(readdirSync(place.stateDir).filter((name) => name.includes('.tmp'))).toEqual([]);
    }
  });

  it('is not made by who only reads', async () => {
    const store = await open(folder);
    await store.close();
    await (await open(folder, { ...viaDatabase, mode: 'read' })).close();
    expect(existsSync(file())).toBe(false);
  });
});
