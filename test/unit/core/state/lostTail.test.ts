/** A log that lost its end, as by a partial backup: nothing continues it until a person restores what the database holds. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/engine/state/store.ts';
import { noteRow } from '../../../support/state/builders.ts';
import { type OpenOptions, open, type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

const OWN: OpenOptions = { database: true, claims: true };
const READ: OpenOptions = { database: true, mode: 'read' };

const events = ({ stateDir }: StateFolder) => join(stateDir, 'events');
const segments = (folder: StateFolder): string[] => readdirSync(events(folder)).sort();

async function note(store: Store, content: string): Promise<void> {
  const [id = 0] = store.nextIds('notes', 1);
  const { created_at: _at, superseded_by: _by, ...row } = noteRow({ id, content, feature_id: null });
  await store.commit({ type: 'note_added', note: row, supersedes: null });
}

const notes = ({ state }: Store): string[] => [...state.notes.values()].map(({ content }) => content);

/** The lines of the newest segment but for its last ones. */
function cut(folder: StateFolder, lines: number): void {
  const path = join(events(folder), segments(folder).at(-1) ?? '');
  const all = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${all.slice(0, -1 - lines).join('\n')}\n`);
}

async function written(folder: StateFolder, options = OWN): Promise<{ readonly last: number }> {
  const store = await open(folder, options);
  for (const text of ['one', 'two', 'three']) await note(store, text);
  await store.close();
  return { last: store.state.meta.last_seq };
}

async function refused(folder: StateFolder, found: number, known: number): Promise<void> {
  const before = [segments(folder), readdirSync(join(folder.stateDir, 'epoch'))];
  await expect(open(folder, OWN)).rejects.toMatchObject({ code: 'STATE_INCOMPLETE', details: { found, known } });
  expect([segments(folder), readdirSync(join(folder.stateDir, 'epoch'))]).toEqual(before);
  const seen = await open(folder, READ);
  expect(seen.lostTail).toEqual({ found, known });
  expect(seen.problems.map(({ what }) => what).join()).toContain('autonomous doctor --restore');
  await seen.close();
}

describe('a log that lost its end', () => {
  test('is owned by none, and restored from the database with a copy kept', async () => {
    using folder = stateFolder();
    const { last } = await written(folder);
    cut(folder, 2);
    await refused(folder, last - 2, last);

    const restored = await open(folder, { ...OWN, restores: true });
    expect(notes(restored)).toEqual(['one', 'two', 'three']);
    await note(restored, 'four');
    await restored.close();
    expect(readdirSync(folder.stateDir)).toContain('features.db.restored-1.bak');

    const again = await open(folder, OWN);
    expect([notes(again), again.problems]).toEqual([['one', 'two', 'three', 'four'], []]);
    expect([...again.state.notes.keys()]).toEqual([1, 2, 3, 4]);
    await again.close();
  });

  test('is known by the database alone after a kill, and by the claim alone without a database', async () => {
    using killed = stateFolder();
    const { last } = await written(killed, { database: true });
    cut(killed, 1);
    await refused(killed, last - 1, last);

    using folder = stateFolder();
    const whole = await written(folder);
    cut(folder, 1);
    for (const file of ['features.db', 'features.db.mac']) rmSync(join(folder.stateDir, file));
    await refused(folder, whole.last - 1, whole.last);
    const restored = await open(folder, { ...OWN, restores: true });
    expect(notes(restored)).toEqual(['one', 'two']);
    expect(restored.state.meta.last_seq).toBeGreaterThan(whole.last);
    await restored.close();
  });

  test('is noticed where the newest segments are those of an older backup', async () => {
    using folder = stateFolder();
    await written(folder);
    const backup = join(folder.root, 'backup');
    mkdirSync(backup);
    for (const file of segments(folder)) copyFileSync(join(events(folder), file), join(backup, file));
    const first = (await written(folder)).last;
    rmSync(events(folder), { recursive: true });
    mkdirSync(events(folder));
    for (const file of readdirSync(backup)) copyFileSync(join(backup, file), join(events(folder), file));
    await refused(folder, 4, first);
  });

  test('is no matter of a line that a kill left unfinished, of a whole log, or of a follower', async () => {
    using folder = stateFolder();
    const { last } = await written(folder);
    const path = join(events(folder), segments(folder).at(-1) ?? '');
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"seq":99,"ep`);
    const store = await open(folder, OWN);
    expect([notes(store), store.lostTail]).toEqual([['one', 'two', 'three'], null]);
    await store.close();
    const follower = await open(folder, { ...READ, committed: last - 2 });
    expect([follower.lostTail, notes(follower)]).toEqual([null, ['one']]);
    await follower.close();
  });
});
