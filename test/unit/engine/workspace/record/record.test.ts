/** What an export takes along, and what an import refuses, decided over files in memory. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../../../src/core/guard/secrets.ts';
import { keptBytes, parseKept } from '../../../../../src/core/job/keptWork.ts';
import { checkProjectName } from '../../../../../src/engine/project/names.ts';
import type { TranscriptEntry } from '../../../../../src/engine/session/ports.ts';
import type { Store } from '../../../../../src/engine/state/store.ts';
import { exportRecord } from '../../../../../src/engine/workspace/record/exportRecord.ts';
import { importRecord } from '../../../../../src/engine/workspace/record/importRecord.ts';
import type {
  ExportPorts,
  ImportPorts,
  RecordFile,
  RecordFiles,
} from '../../../../../src/engine/workspace/record/ports.ts';
import { goldenRun } from '../../../../support/golden/goldenRun.ts';
import { attemptEnded } from '../../../../support/state/fold.ts';
import { openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const SECRET = 'the-password-of-somebody';
const JOB = 'j4';
const ATTEMPT = 7;
const SESSION = 17;
const PATCH = `attempts/${ATTEMPT}.patch`;
const WORDS = `sessions/${SESSION}.json`;
/** Under this hash a record is known; the fakes make it of nothing else. */
const MANIFEST = 'a'.repeat(64);

const hashOf = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');
const nameOf = (data: Uint8Array | string): string => `${hashOf(data)}.txt`;
const isName = (text: string): boolean => /^[0-9a-f]{64}\.txt$/.test(text);

const step = (text: string) => ({ tree: 'a'.repeat(40), patch: Buffer.from(text, 'latin1') });
const workOf = (text: string, attempt = ATTEMPT): Uint8Array =>
  keptBytes({ attempt, job: JOB, origin: 'b'.repeat(40), after: null, start: step(text), work: step('+caf\xe9\n') });

interface Files {
  readonly artifacts: Map<string, string>;
  readonly kept: Map<number, Uint8Array>;
  readonly transcripts: Map<number, TranscriptEntry[]>;
}

const noFiles = (): Files => ({ artifacts: new Map(), kept: new Map(), transcripts: new Map() });

/** What was written lies in `written`. */
function exporting(files: Files, written: RecordFile[] = []): ExportPorts {
  return {
    artifacts: { get: async (name) => files.artifacts.get(name) ?? null, isName, nameOf },
    kept: {
      get: async (id) => {
        const data = files.kept.get(id);
        return data === undefined ? null : { data, hash: hashOf(data) };
      },
      hashOf,
    },
    transcript: async (id) => files.transcripts.get(id) ?? [],
    write: async (all) => {
      written.push(...all);
      return { hash: MANIFEST, files: new Map(all.map(({ path, data }) => [path, data])) };
    },
  };
}

function importing(record: RecordFiles, into: Files): ImportPorts {
  return {
    read: async () => record,
    artifacts: {
      put: async (text) => {
        into.artifacts.set(nameOf(text), text);
        return nameOf(text);
      },
    },
    kept: { put: async (id, data) => into.kept.set(id, data), hashOf },
    openTranscript: async (id) => {
      const entries: TranscriptEntry[] = [];
      into.transcripts.set(id, entries);
      return { append: async (entry) => void entries.push(entry), close: async () => undefined };
    },
    checkProjectName,
  };
}

interface Lived {
  readonly store: Store;
  readonly files: Files;
  /** Name of the artifact that the attempt's row names; it holds a secret. */
  readonly output: string;
}

/** Everything that can happen has happened in it, and files of every kind lie beside. */
async function lived(kept: Uint8Array = workOf('+a\n')): Promise<Lived> {
  const store = await openMemoryStore(new FakeClock());
  await goldenRun(store);
  const files = noFiles();
  const text = `all tests pass with ${SECRET}\n`;
  const output = nameOf(text);
  files.artifacts.set(output, text);
  files.artifacts.set(nameOf('named by no row'), 'named by no row');
  files.kept.set(ATTEMPT, kept);
  files.transcripts.set(SESSION, [
    { kind: 'user', text: `Use ${SECRET}` },
    { kind: 'ended', reason: 'turns', detail: 'too many' },
  ] as unknown as TranscriptEntry[]);
  const summary = `It said ${SECRET}.`;
  const of = { id: ATTEMPT, job_id: JOB, status: 'failed', cause: 'turns' } as const;
  await store.commit(attemptEnded({ ...of, summary, diff: output, kept: hashOf(kept) }));
  return { store, files, output };
}

interface Taken {
  readonly answer: Awaited<ReturnType<typeof exportRecord>>;
  readonly paths: readonly string[];
  readonly record: RecordFiles;
  text(path: string): string;
  rows(table: string): readonly Readonly<Record<string, unknown>>[];
}

async function taken({ store, files }: Lived, jobId: string | null = null): Promise<Taken> {
  const written: RecordFile[] = [];
  const clean = withoutSecrets(() => [SECRET]);
  const answer = await exportRecord(exporting(files, written), { state: store.state, clean }, jobId);
  const all = new Map(written.map(({ path, data }) => [path, data]));
  const text = (path: string): string => Buffer.from(all.get(path) ?? []).toString('utf8');
  return {
    answer,
    paths: [...all.keys()],
    record: { hash: MANIFEST, files: all },
    text,
    rows: (table) => JSON.parse(text(`state/${table}.json`)) as ReturnType<Taken['rows']>,
  };
}

const attemptIn = ({ rows }: Taken) => rows('attempts').find(({ id }) => id === ATTEMPT);

test('an export names no secret: an artifact that held one has the name of its new content, in the rows too', async () => {
  const from = await lived();
  const out = await taken(from);
  for (const path of out.paths) expect(out.text(path), path).not.toContain(SECRET);
  const artifacts = out.paths.filter((path) => path.startsWith('artifacts/'));
  const now = String(attemptIn(out)?.['diff']);
  expect(now).not.toBe(from.output);
  expect(artifacts).toEqual([`artifacts/${now}`]);
  expect(nameOf(out.text(`artifacts/${now}`))).toBe(now);
  expect(out.text(`sessions/${SESSION}.json`)).toContain('[secret:');
  expect(out.text(`sessions/${SESSION}.md`)).toContain('[secret:');
  expect(out.answer).toEqual({ files: out.paths.length, jobs: out.rows('jobs').length, hash: MANIFEST });
});

test('the work of an attempt goes along byte for byte, and is proven by the row', async () => {
  const work = workOf('+a\n');
  const out = await taken(await lived(work));
  expect(Buffer.from(out.record.files.get(PATCH) ?? [])).toEqual(Buffer.from(work));
  expect(attemptIn(out)?.['kept']).toBe(hashOf(work));
});

test('work that held a secret has another hash, and its row says so', async () => {
  const out = await taken(await lived(workOf(`+caf\xe9 ${SECRET}\n`)));
  const data = out.record.files.get(PATCH) ?? new Uint8Array();
  expect(Buffer.from(parseKept(data).start.patch).toString('latin1')).toMatch(/^\+caf\xe9 \[secret:/);
  expect(Buffer.from(parseKept(data).work.patch).toString('latin1')).toBe('+caf\xe9\n');
  expect(attemptIn(out)?.['kept']).toBe(hashOf(data));
});

test('work that is not what the row says stays behind', async () => {
  const from = await lived();
  from.files.kept.set(ATTEMPT, workOf('+another\n'));
  const out = await taken(from);
  expect(out.paths).not.toContain(PATCH);
  expect(attemptIn(out)?.['kept']).toBe(hashOf(workOf('+a\n')));
});

test('an export of one job has its rows and texts alone, and one of no job is refused', async () => {
  const from = await lived();
  const out = await taken(from, JOB);
  expect(out.rows('jobs').map(({ id }) => id)).toEqual([JOB]);
  expect(out.paths.filter((path) => path.startsWith('jobs/'))).toEqual([`jobs/${JOB}.md`]);
  const written: RecordFile[] = [];
  const given = { state: from.store.state, clean: (text: string) => text };
  await expect(exportRecord(exporting(from.files, written), given, 'none')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(written).toEqual([]);
});

const empty = (): Promise<Store> => openMemoryStore(new FakeClock());

test('an import stores the files of an export before its one event, which names the manifest', async () => {
  const out = await taken(await lived());
  const [store, into] = [await empty(), noFiles()];
  const events: unknown[] = [];
  store.subscribe((event) => {
    expect(into.artifacts.size + into.kept.size + into.transcripts.size).toBe(3);
    events.push(event);
  });
  const answer = await importRecord(importing(out.record, into), store, '/an/export');
  expect(answer).toMatchObject({ jobs: out.rows('jobs').length, sessions: out.rows('sessions').length });
  expect(events).toEqual([expect.objectContaining({ type: 'record_imported', source: MANIFEST })]);
  expect([...into.artifacts.keys()]).toEqual([attemptIn(out)?.['diff']]);
  expect([...into.kept.keys()]).toEqual([ATTEMPT]);
  expect(into.transcripts.get(SESSION)).toEqual(JSON.parse(out.text(WORDS)));
});

test('an import reads nothing where something was done already, or for a path that is not absolute', async () => {
  const store = await empty();
  const ports = {
    ...importing({ hash: MANIFEST, files: new Map() }, noFiles()),
    read: () => Promise.reject(new Error('read')),
  };
  await expect(importRecord(ports, store, 'an/export')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await goldenRun(store);
  await expect(importRecord(ports, store, '/an/export')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
});

/** Without the hashes of the kept work: rows of older versions have none. */
function unproven(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const path = 'state/attempts.json';
  const rows = JSON.parse(Buffer.from(files.get(path) ?? []).toString('utf8')) as object[];
  return files.set(path, Buffer.from(JSON.stringify(rows.map((row) => ({ ...row, kept: null })))));
}

test.each<[string, (files: Map<string, Uint8Array>) => void, RegExp]>([
  [
    'an artifact under another name',
    (files) => files.set(`artifacts/${nameOf('x')}`, Buffer.from('y')),
    /does not match its name/,
  ],
  ['work of another attempt', (files) => unproven(files).set(PATCH, workOf('+a\n', 8)), /is of another attempt/],
  ['work that its row does not prove', (files) => files.set(PATCH, workOf('+b\n')), /is of another attempt/],
  ['a transcript that is no list', (files) => files.set(WORDS, Buffer.from('{}')), /is not a list/],
  ['a transcript with something else in it', (files) => files.set(WORDS, Buffer.from('[7]')), /holds no transcript/],
])('an import with %s is refused, and nothing is committed', async (_, change, why) => {
  const { record } = await taken(await lived());
  const files = new Map(record.files);
  change(files);
  const store = await empty();
  const before = store.state.meta.last_seq;
  const refused = importRecord(importing({ ...record, files }, noFiles()), store, '/an/export');
  await expect(refused).rejects.toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(why) }),
  );
  expect(store.state.meta.last_seq).toBe(before);
});

test('an import that fails under a transcript closes it', async () => {
  const { record } = await taken(await lived());
  let open = 0;
  const ports: ImportPorts = {
    ...importing(record, noFiles()),
    openTranscript: async () => {
      open++;
      return { append: () => Promise.reject(new Error('full')), close: async () => void open-- };
    },
  };
  await expect(importRecord(ports, await empty(), '/an/export')).rejects.toThrow('full');
  expect(open).toBe(0);
});
