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
import { openTranscript } from '../adapters/transcripts.ts';
import type { TranscriptEntry } from '../agent/ports.ts';
import { isFields } from '../core/json.ts';
import { parseKept } from '../core/keptWork.ts';
import { type RecordRows, requireEmpty } from '../core/record/rows.ts';
import type { Places } from '../engine/state/places.ts';
import type { Store } from '../engine/store.ts';
import type { FileOps } from '../engine/storePorts.ts';
import { failure } from '../shared/errors.ts';
import { importedRows, jsonOf, wrong } from './importedRows.ts';
import { filesOfEpoch } from './stateFiles.ts';

interface Into {
  readonly places: Places;
  readonly store: Store;
}

export async function importRecord(into: Into, path: string) {
  if (!isAbsolute(path)) throw failure('INVALID_INPUT', `not an absolute path: ${path}`);
  const { store, places } = into;
  requireEmpty(store.state);
  const record = await readRecord(path);
  const rows = importedRows(record);
  await writeFiles(into, record, rows, filesOfEpoch(places.stateDir, store.epoch));
  await store.commit({ type: 'record_imported', source: record.hash, rows });
  return { jobs: rows.jobs.length, tasks: rows.tasks.length, sessions: rows.sessions.length };
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
