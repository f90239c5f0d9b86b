/**
 * An export back into a workspace that holds nothing: its files first, then one event with all its rows, sealed by this installation's
 * key. Nothing of it is trusted: what does not have the form of an export is refused whole, and the reducer takes all of it for ended.
 */
import { isAbsolute } from 'node:path';
import { openArtifacts } from '../adapters/artifacts.ts';
import { nodeFiles } from '../adapters/files.ts';
import { keptAttempts, keptHash } from '../adapters/keptWork.ts';
import { loadKey } from '../adapters/log/key.ts';
import { lineSeal } from '../adapters/log/seal.ts';
import { type RecordFiles, readRecord } from '../adapters/record/recordFiles.ts';
import { COLUMNS, type ColumnKind } from '../adapters/sqlite/columns.ts';
import { openTranscript } from '../adapters/transcripts.ts';
import type { TranscriptEntry } from '../agent/ports.ts';
import { isFields, parseJson } from '../core/json.ts';
import { parseKept } from '../core/keptWork.ts';
import { type RecordRows, requireEmpty } from '../core/record/rows.ts';
import type { FileOps } from '../engine/ports.ts';
import type { Store } from '../engine/store.ts';
import { checkProjectName } from '../projects/names.ts';
import { failure } from '../shared/errors.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../shared/projects.ts';
import { TABLE_NAMES, type TableName } from '../shared/state.ts';
import { fencedFiles } from './fencedFiles.ts';
import type { Places } from './places.ts';

interface Into {
  readonly places: Places;
  readonly store: Store;
}

/** What ids become names of files, here or in the next export. */
const KEY = /^[A-Za-z0-9][\w.#-]{0,63}$/;

export async function importRecord(into: Into, path: string) {
  if (!isAbsolute(path)) throw failure('INVALID_INPUT', `not an absolute path: ${path}`);
  const { store, places } = into;
  requireEmpty(store.state);
  const record = await readRecord(path);
  const rows = rowsOf(record);
  await writeFiles(into, record, rows, fencedFiles(places.stateDir, store.epoch));
  await store.commit({ type: 'record_imported', source: record.hash, rows });
  return { jobs: rows.jobs.length, tasks: rows.tasks.length, sessions: rows.sessions.length };
}

const wrong = (what: string): Error =>
  failure('INVALID_INPUT', `this is no export that can be imported: ${what}`, {
    hint: 'Export it again where it came from.',
  });

function jsonOf(record: RecordFiles, path: string): readonly unknown[] {
  const data = record.files.get(path);
  const value = data === undefined ? undefined : parseJson(Buffer.from(data).toString('utf8'));
  if (!Array.isArray(value)) throw wrong(`${path} is no list`);
  return value;
}

function fits(kind: ColumnKind, value: unknown): boolean {
  switch (kind) {
    case 'id':
      return Number.isSafeInteger(value) && (value as number) > 0;
    case 'key':
      return typeof value === 'string' && KEY.test(value);
    case 'text':
      return value === null || typeof value === 'string';
    case 'integer':
      return value === null || Number.isSafeInteger(value);
    case 'real':
      return value === null || Number.isFinite(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'json':
      return value !== undefined;
  }
}

function rowsOf(record: RecordFiles): RecordRows {
  const rows = (table: TableName): readonly unknown[] => {
    const columns = Object.entries(COLUMNS[table]) as [string, ColumnKind][];
    const ids = new Set<unknown>();
    return jsonOf(record, `state/${table}.json`).map((row) => {
      if (!isFields(row) || Object.keys(row).length !== columns.length)
        throw wrong(`a row of ${table} has other fields`);
      const bad = columns.find(([name, kind]) => !Object.hasOwn(row, name) || !fits(kind, row[name]));
      if (bad !== undefined) throw wrong(`a row of ${table} has no such ${bad[0]}`);
      if (ids.has(row['id'])) throw wrong(`a row of ${table} is there twice`);
      ids.add(row['id']);
      return row;
    });
  };
  const read = Object.fromEntries(TABLE_NAMES.map((table) => [table, rows(table)])) as unknown as RecordRows;
  for (const { id } of read.projects) checkProjectName(id);
  for (const { project_id } of read.messages)
    if (project_id !== DEFAULT_PROJECT && project_id !== MAIN_PROJECT) checkProjectName(project_id);
  return read;
}

async function writeFiles({ places, store }: Into, record: RecordFiles, rows: RecordRows, ops: FileOps): Promise<void> {
  const artifacts = openArtifacts(places.stateDir, ops);
  for (const [path, data] of record.files) {
    const name = /^artifacts\/(.+)$/.exec(path)?.[1];
    if (name !== undefined && (await artifacts.put(Buffer.from(data).toString('utf8'))) !== name)
      throw wrong(`${path} does not hold what its name says`);
  }
  const kept = keptAttempts(places.stateDir, ops);
  for (const row of rows.attempts) {
    const data = record.files.get(`attempts/${row.id}.patch`);
    if (data === undefined) continue;
    const work = parseKept(data);
    if (work.attempt !== row.id || work.job !== row.job_id || (row.kept !== null && row.kept !== keptHash(data)))
      throw wrong(`attempts/${row.id}.patch is of another attempt`);
    await kept.put(row.id, data);
  }
  const seal = lineSeal(await loadKey(places.configDir, nodeFiles), 'transcript');
  for (const { id } of rows.sessions) {
    if (!record.files.has(`sessions/${id}.json`)) continue;
    const entries = jsonOf(record, `sessions/${id}.json`);
    const options = { stateDir: places.stateDir, sessionId: id, epoch: store.epoch, ops, seal };
    const transcript = await openTranscript(options);
    try {
      for (const entry of entries) {
        if (!isFields(entry) || typeof entry['kind'] !== 'string')
          throw wrong(`sessions/${id}.json holds no transcript`);
        await transcript.append(entry as unknown as TranscriptEntry);
      }
    } finally {
      await transcript.close();
    }
  }
}
