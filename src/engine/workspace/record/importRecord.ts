/**
 * Imports an export into an empty workspace: its files first, then one event with all its rows, sealed by this installation's
 * key.
 * The content is not trusted: an invalid export is rejected as a whole, and the reducer treats all its rows as final.
 */
import { isAbsolute } from 'node:path';
import { parseKept } from '../../../core/job/keptWork.ts';
import { isFields } from '../../../core/text/json.ts';
import { type RecordRows, requireEmpty } from '../../../core/workspace/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { TranscriptEntry } from '../../session/ports.ts';
import type { Store } from '../../state/store.ts';
import { importedRows, jsonOf, wrong } from './importedRows.ts';
import type { ImportPorts, RecordFiles } from './ports.ts';

export async function importRecord(ports: ImportPorts, store: Pick<Store, 'state' | 'commit'>, path: string) {
  if (!isAbsolute(path)) throw failure('INVALID_INPUT', `not an absolute path: ${path}`);
  requireEmpty(store.state);
  const record = await ports.read(path);
  const rows = importedRows(record, ports.checkProjectName);
  await writeFiles(ports, record, rows);
  await store.commit({ type: 'record_imported', source: record.hash, rows });
  return { jobs: rows.jobs.length, tasks: rows.tasks.length, sessions: rows.sessions.length };
}

async function writeFiles(ports: ImportPorts, record: RecordFiles, rows: RecordRows): Promise<void> {
  const { artifacts, kept } = ports;
  for (const [path, data] of record.files) {
    const name = /^artifacts\/(.+)$/.exec(path)?.[1];
    if (name !== undefined && (await artifacts.put(Buffer.from(data).toString('utf8'))) !== name)
      throw wrong(`the content of ${path} does not match its name`);
  }
  for (const row of rows.attempts) {
    const data = record.files.get(`attempts/${row.id}.patch`);
    if (data === undefined) continue;
    const work = parseKept(data);
    if (work.attempt !== row.id || work.job !== row.job_id || (row.kept !== null && row.kept !== kept.hashOf(data)))
      throw wrong(`attempts/${row.id}.patch is of another attempt`);
    await kept.put(row.id, data);
  }
  for (const { id } of rows.sessions) {
    if (!record.files.has(`sessions/${id}.json`)) continue;
    const entries = jsonOf(record, `sessions/${id}.json`);
    const transcript = await ports.openTranscript(id);
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
