import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { findKey, loadKey } from '../../../../src/adapters/log/key.ts';
import type { FileOps } from '../../../../src/engine/state/storePorts.ts';
import { faultyFiles } from '../../../support/state/faultyFiles.ts';
import { open, type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
});
afterEach(() => folder[Symbol.dispose]());

const project = (id: string) => ({ type: 'project_created', project: { id, model: null, workdir: null } }) as const;
const illegal = { type: 'job_paused', job_id: 'nobody', reason: '', by: 'steward' } as const;
const ids = (store: { state: { projects: ReadonlyMap<string, unknown> } }) => [...store.state.projects.keys()];

/** Counts the syncs of segments. */
function countingSyncs(): { ops: FileOps; syncs: () => number } {
  let syncs = 0;
  const ops: FileOps = {
    ...nodeFiles,
    openNew: async (path) => {
      const file = await nodeFiles.openNew(path);
      const sync = () => {
        syncs++;
        return file?.sync() ?? Promise.resolve();
      };
      return file && { ...file, sync };
    },
  };
  return { ops, syncs: () => syncs };
}

describe('the store', () => {
  it('tells its subscribers in order, before the promise resolves', async () => {
    const store = await open(folder);
    const told: string[] = [];
    store.subscribe((event, changes) => {
      const id = event.type === 'project_created' ? event.project.id : '';
      told.push(`${id} ${changes.length} ${store.state.projects.has(id)}`);
    });
    const stop = store.subscribe(() => {
      throw new Error('a listener fails');
    });
    const [a, b] = await Promise.all([store.commit(project('a')), store.commit(project('b'))]);
    expect(told).toEqual(['a 2 true', 'b 2 true']);
    expect([a.seq, b.seq, a.epoch]).toEqual([2, 3, 1]);
    stop();
    await store.commit(project('c'));
    expect(told.at(-1)).toBe('c 2 true');
    expect(store.problems).toHaveLength(2);
    await store.close();
    await expect(store.commit(project('d'))).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('judges a draft on the newest state, and shares one sync among the drafts of a tick', async () => {
    const { ops, syncs } = countingSyncs();
    const store = await open(folder, { ops });
    const before = syncs();
    const seen: number[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((id) =>
        store.commit((state) => {
          seen.push(state.projects.size);
          return project(id);
        }),
      ),
    );
    expect(seen).toEqual([0, 1, 2]);
    expect(syncs() - before).toBe(1);
    await store.close();
  });

  it('a draft that the reducer refuses changes nothing, for nobody', async () => {
    const store = await open(folder);
    const good = store.commit(project('a'));
    await expect(store.commit(illegal)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await good).seq).toBe(2);
    expect((await store.commit(project('b'))).seq).toBe(3);
    await store.close();
    expect(ids(await open(folder, { mode: 'read' }))).toEqual(['a', 'b']);
  });

  it('a second owner takes over, the first stops at its next commit', async () => {
    const first = await open(folder);
    await first.commit(project('a'));
    const second = await open(folder);
    await expect(first.commit(project('late'))).rejects.toMatchObject({ code: 'OWNER_LOST' });
    await expect(first.commit(project('later'))).rejects.toMatchObject({ code: 'OWNER_LOST' });
    expect(ids(first)).toEqual(['a']);
    await second.commit(project('b'));
    await Promise.all([first.close(), second.close()]);
    const third = await open(folder);
    expect(ids(third)).toEqual(['a', 'b']);
    expect(third.epoch).toBe(3);
    expect(third.problems).toEqual([]);
    await third.close();
  });

  it('reading writes nothing and commits nothing', async () => {
    expect((await open(folder, { mode: 'read' })).origin).toBe('empty');
    expect(existsSync(folder.stateDir)).toBe(false);
    const store = await open(folder);
    await store.commit(project('a'));
    const before = readdirSync(folder.stateDir, { recursive: true }).sort();
    const reader = await open(folder, { mode: 'read', database: true });
    expect(ids(reader)).toEqual(['a']);
    await expect(reader.commit(project('b'))).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    await reader.close();
    expect(readdirSync(folder.stateDir, { recursive: true }).sort()).toEqual(before);
    await store.commit(project('b'));
    await store.close();
  });

  it('gives an id once, also after a restart', async () => {
    const store = await open(folder);
    expect(store.nextIds('notes', 3)).toEqual([1, 2, 3]);
    expect(store.nextIds('notes', 1)).toEqual([4]);
    const note = { feature_id: null, category: null, content: 'x', created_by_session: null };
    const place = { file: null, line: null, anchor: null };
    await store.commit({ type: 'note_added', note: { id: 4, ...note, ...place }, supersedes: null });
    await store.close();
    const again = await open(folder);
    expect(again.nextIds('notes', 1)).toEqual([5]);
    await again.close();
  });

  it('events that no longer make sense after a gap are left out and told', async () => {
    const store = await open(folder);
    await store.commit(project('a'));
    await store.close();
    const path = join(folder.stateDir, 'events', '1-1.jsonl');
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('project_created')] = 0;
    writeFileSync(path, bytes);
    const again = await open(folder);
    expect(ids(again)).toEqual([]);
    expect(again.problems).toContainEqual({ file: '1-1.jsonl', line: 3, what: 'damaged line' });
    await again.commit(project('b'));
    await again.close();
    expect(ids(await open(folder, { mode: 'read' }))).toEqual(['b']);
  });
});

describe('a disk that fails', () => {
  it('everything on its way is refused together, and later drafts are judged without it', async () => {
    const faulty = faultyFiles();
    const store = await open(folder, { ops: faulty.ops });
    faulty.arm(1, 'ENOSPC');
    const results = await Promise.allSettled([
      store.commit(project('a')),
      store.commit(project('b')),
      store.commit((state) => project(`after ${state.projects.size}`)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const event = await store.commit((state) => project(`sees ${state.projects.size}`));
    expect(event).toMatchObject({ seq: 2, project: { id: 'sees 0' } });
    await store.close();
  });

  it('an owner that cannot claim says so, and reading still works', async () => {
    const store = await open(folder);
    await store.commit(project('a'));
    await store.close();
    const faulty = faultyFiles();
    for (let n = 1; n <= 3; n++) {
      faulty.arm(n + 1, 'EACCES');
      await expect(open(folder, { ops: faulty.ops })).rejects.toMatchObject({ code: 'DISK' });
    }
    expect(ids(await open(folder, { mode: 'read' }))).toEqual(['a']);
  });
});

describe('the key', () => {
  it('is made once, also by many at a time, and is for this user only', async () => {
    const config = join(folder.root, 'config', 'autonomous');
    expect(await findKey(config, nodeFiles)).toBeNull();
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadKey(config, nodeFiles)));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(readdirSync(config)).toEqual(['state.key']);
    const path = join(config, 'state.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(await loadKey(config, nodeFiles)).toEqual(keys[0]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    appendFileSync(path, 'x');
    await expect(loadKey(config, nodeFiles)).rejects.toMatchObject({ code: 'STATE_DAMAGED' });
  });
});
