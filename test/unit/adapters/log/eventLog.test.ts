import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lineSeal } from '../../../../src/adapters/log/seal.ts';
import type { LogPoint } from '../../../../src/engine/state/storePorts.ts';
import type { Event } from '../../../../src/shared/workspace/events.ts';
import { open, openLog, type StateFolder, stateFolder } from '../../../support/state/stateFolder.ts';

let folder: StateFolder;
beforeEach(() => {
  folder = stateFolder();
});
afterEach(() => folder[Symbol.dispose]());

const project = (id: string) => ({ type: 'project_created', project: { id, model: null, workdir: null } }) as const;
const event = (epoch: number, seq: number, id = `p${seq}`): Event => ({
  ...project(id),
  seq,
  epoch,
  at: '2026-01-01T00:00:00.000Z',
});
const segments = () => readdirSync(join(folder.stateDir, 'events')).sort();
const segmentPath = (name: string) => join(folder.stateDir, 'events', name);

describe('the log', () => {
  it('ends for a reader where its owner has committed, in whichever segment that is', async () => {
    const log = await openLog(folder, { segmentBytes: 1 });
    await log.claim();
    const points: LogPoint[] = [];
    for (const seq of [1, 2, 3]) points.push(await log.append([event(1, seq)], points.at(-1) ?? null));
    expect(segments()).toHaveLength(3);
    appendFileSync(segmentPath(segments()[2] ?? ''), '{"seq":4,"epo');
    expect((await (await openLog(folder)).read(null)).problems).toMatchObject([{ what: 'unfinished line' }]);
    for (const committed of [0, 1, 2, 3]) {
      const read = await (await openLog(folder, { committed })).read(null);
      expect(read.events.map(({ seq }) => seq)).toEqual([1, 2, 3].slice(0, committed));
      expect(read.end).toEqual(points[committed - 1] ?? null);
      expect(read.problems).toEqual([]);
    }
    // A database may know more than the owner had committed when it was asked.
    const [, second = null] = points;
    const after = await (await openLog(folder, { committed: 1 })).read(second);
    expect({ events: after.events, continues: after.continues }).toEqual({ events: [], continues: true });
    await log.close();
  });

  it('gives back what was appended, and knows where it ends', async () => {
    const log = await openLog(folder);
    expect(await log.claim()).toBe(1);
    const first = await log.append([event(1, 1)], null);
    const end = await log.append([event(1, 2), event(1, 3)], first);
    const read = await (await openLog(folder)).read(null);
    expect(read).toMatchObject({ origin: 'own', continues: true, end, problems: [] });
    expect(read.events).toEqual([event(1, 1), event(1, 2), event(1, 3)]);
    expect(await (await openLog(folder)).read(first)).toMatchObject({ events: [event(1, 2), event(1, 3)], end });
    await log.close();
  });

  it('starts a new segment when one is full, and reads them as one', async () => {
    const log = await openLog(folder, { segmentBytes: 600 });
    await log.claim();
    let end: LogPoint | null = null;
    for (let seq = 1; seq <= 12; seq++) end = await log.append([event(1, seq)], end);
    await log.close();
    expect(segments().length).toBeGreaterThan(2);
    const read = await (await openLog(folder)).read(null);
    expect(read.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(read.problems).toEqual([]);
    expect(readFileSync(join(folder.stateDir, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('keeps a .gitignore that a person changed, and writes one again that a failing disk left empty', async () => {
    const ignore = join(folder.stateDir, '.gitignore');
    for (const [found, left] of [
      ['!events\n', '!events\n'],
      ['', '*\n'],
    ] as const) {
      mkdirSync(folder.stateDir, { recursive: true });
      writeFileSync(ignore, found);
      const log = await openLog(folder);
      await log.claim();
      await log.close();
      expect(readFileSync(ignore, 'utf8')).toBe(left);
    }
  });

  it('claim, read, old owner appends, old owner is refused, successor goes on, replay (reliability 7.1)', async () => {
    const old = await openLog(folder);
    await old.claim();
    const known = await old.append([event(1, 1), event(1, 2)], null);

    const successor = await openLog(folder);
    expect(await successor.claim()).toBe(2);
    const read = await successor.read(null);
    expect(read.end).toEqual(known);

    await expect(old.append([event(1, 3, 'late')], known)).rejects.toMatchObject({ code: 'OWNER_LOST' });
    await expect(old.append([event(1, 3, 'again')], known)).rejects.toMatchObject({ code: 'OWNER_LOST' });

    await successor.append([event(2, 3, 'next')], read.end);
    const replay = await (await openLog(folder)).read(null);
    expect(replay.events).toEqual([event(1, 1), event(1, 2), event(2, 3, 'next')]);
    expect(replay.problems).toEqual([]);
    await successor.close();
  });

  it('old owner appends before the successor reads: refused, but what is read there counts', async () => {
    const old = await openLog(folder);
    await old.claim();
    const known = await old.append([event(1, 1)], null);
    const successor = await openLog(folder);
    await successor.claim();
    await expect(old.append([event(1, 2)], known)).rejects.toMatchObject({ code: 'OWNER_LOST' });
    const read = await successor.read(null);
    expect(read.events.map(({ seq }) => seq)).toEqual([1, 2]);
    await successor.append([event(2, 3)], read.end);
    const replay = await (await openLog(folder)).read(null);
    expect(replay.events.map(({ epoch, seq }) => [epoch, seq])).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
    ]);
    await successor.close();
  });

  it('an owner between two others that never was told yes is void as a whole', async () => {
    const first = await openLog(folder);
    await first.claim();
    const known = await first.append([event(1, 1)], null);
    const second = await openLog(folder);
    await second.claim();
    await expect(first.append([event(1, 2, 'unheard')], known)).rejects.toMatchObject({ code: 'OWNER_LOST' });
    const third = await openLog(folder);
    await third.claim();
    const read = await third.read(null);
    await third.append([event(3, 3)], read.end);
    await expect(second.append([event(2, 2, 'ghost'), event(2, 3, 'ghost')], known)).rejects.toMatchObject({
      code: 'OWNER_LOST',
    });
    const replay = await (await openLog(folder)).read(null);
    expect(replay.events).toEqual([event(1, 1), event(1, 2, 'unheard'), event(3, 3)]);
    await third.close();
  });

  it('stops when its folder is removed under it', async () => {
    const log = await openLog(folder);
    await log.claim();
    const end = await log.append([event(1, 1)], null);
    rmSync(folder.stateDir, { recursive: true });
    await expect(log.append([event(1, 2)], end)).rejects.toMatchObject({ code: 'OWNER_LOST' });
  });

  it('never appends to an unfinished line', async () => {
    const log = await openLog(folder);
    await log.claim();
    await log.append([event(1, 1)], null);
    await log.close();
    appendFileSync(segmentPath('1-1.jsonl'), '{"seq":2,"epo');
    const next = await openLog(folder);
    await next.claim();
    const read = await next.read(null);
    expect(read.problems).toEqual([{ file: '1-1.jsonl', line: 3, what: 'unfinished line' }]);
    await next.append([event(2, 2)], read.end);
    await next.close();
    expect(segments()).toEqual(['1-1.jsonl', '2-1.jsonl']);
    const later = await (await openLog(folder)).read(null);
    expect(later.events.map(({ seq }) => seq)).toEqual([1, 2]);
    // The next owner went on from the line before it: what was cut off had been told to nobody.
    expect(later.problems).toEqual([]);
  });
});

describe('a log that is not ours', () => {
  it('is shown, never resumed', async () => {
    const theirs = await open(folder);
    await theirs.commit(project('default'));
    await theirs.close();
    const before = readdirSync(folder.stateDir, { recursive: true }).sort();

    const ours = await open(folder, { key: new Uint8Array(32) });
    expect(ours.origin).toBe('foreign');
    expect(ours.epoch).toBe(0);
    expect([...ours.state.projects.keys()]).toEqual(['default']);
    await expect(ours.commit(project('more'))).rejects.toMatchObject({ code: 'STATE_FOREIGN' });
    await ours.close();
    expect(readdirSync(folder.stateDir, { recursive: true }).sort()).toEqual(before);
    expect((await open(folder, { mode: 'read', key: null })).origin).toBe('foreign');
  });

  it('one foreign segment among ours is left out and told', async () => {
    const store = await open(folder);
    await store.commit(project('mine'));
    await store.close();
    const forged = lineSeal(new Uint8Array(32), 'events');
    const header = forged.seal(JSON.stringify({ v: 1, epoch: 77, n: 1, after: { epoch: 0, seq: 0, mac: '' } }));
    const line = forged.seal(JSON.stringify({ ...event(77, 1, 'forged'), prev: header.mac.slice(0, 16) }));
    writeFileSync(segmentPath('77-1.jsonl'), `${header.line}\n${line.line}\n`);
    const again = await open(folder);
    expect(again.origin).toBe('own');
    expect(again.epoch).toBe(78);
    expect([...again.state.projects.keys()]).toEqual(['mine']);
    expect(again.problems).toContainEqual({
      file: '77-1.jsonl',
      line: null,
      what: expect.stringContaining('another installation'),
    });
    await again.close();
  });

  it('a line that was copied, or a segment that was renamed, is not believed', async () => {
    const store = await open(folder);
    await store.commit(project('a'));
    await store.close();
    const path = segmentPath('1-1.jsonl');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    appendFileSync(path, `${lines[1]}\n`);
    renameSync(path, segmentPath('5-1.jsonl'));
    writeFileSync(path, `${lines.join('\n')}\n${lines[1]}\n`);
    const read = await (await openLog(folder)).read(null);
    expect(read.events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(read.problems.map(({ what }) => what)).toContain('a line that belongs elsewhere');
  });

  it('a newer version is shown, and neither claimed nor continued', async () => {
    const store = await open(folder);
    await store.commit(project('default'));
    await store.close();
    const seal = lineSeal(folder.key, 'events');
    writeFileSync(
      segmentPath('2-1.jsonl'),
      `${seal.seal(JSON.stringify({ v: 2, epoch: 2, n: 1, since: 'x' })).line}\n`,
    );
    const again = await open(folder);
    expect(again.origin).toBe('newer');
    expect([...again.state.projects.keys()]).toEqual(['default']);
    await expect(again.commit(project('more'))).rejects.toMatchObject({ code: 'STATE_NEWER' });
    expect(readdirSync(join(folder.stateDir, 'epoch'))).toEqual(['1']);
  });

  it.each(
    [
      [
        '',
        'events',
        'epoch',
        'sessions',
        'answers',
        'artifacts',
        'attempts',
        'projects',
        'memory',
        'skills',
        'templates',
      ],
      ['templates/tasks'],
    ].flat(),
  )('refuses a symbolic link at .autonomous/%s', async (name) => {
    const elsewhere = join(folder.root, 'elsewhere');
    mkdirSync(elsewhere);
    if (name !== '') mkdirSync(dirname(join(folder.stateDir, name)), { recursive: true });
    symlinkSync(elsewhere, join(folder.stateDir, name));
    await expect(open(folder)).rejects.toMatchObject({ code: 'STATE_SYMLINK' });
    await expect(open(folder, { mode: 'read' })).rejects.toMatchObject({ code: 'STATE_SYMLINK' });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('a file in the place of the folder is refused', async () => {
    writeFileSync(folder.stateDir, '');
    await expect(open(folder)).rejects.toMatchObject({ code: 'STATE_DAMAGED', details: { path: folder.stateDir } });
  });
});
