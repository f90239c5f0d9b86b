/** Everything of a workspace, or of one job, as files to take along: looked at, not owned, and without secrets. */

import { dataWithoutSecrets, type WithoutSecrets } from '../../../core/guard/secrets.ts';
import { keptBytes, parseKept } from '../../../core/job/keptWork.ts';
import { need } from '../../../core/state/rows.ts';
import { COLUMNS } from '../../../core/workspace/columns.ts';
import { type RecordRows, recordRows } from '../../../core/workspace/rows.ts';
import { indexText, jobText, projectsIn, projectText, taskText } from '../../../core/workspace/text.ts';
import type { AttemptRow } from '../../../shared/job/rows.ts';
import type { ExportedRecord } from '../../../shared/workspace/record.ts';
import { type State, TABLE_NAMES, type TableName } from '../../../shared/workspace/state.ts';
import { entriesText } from '../../session/transcript/transcriptText.ts';
import type { ExportPorts, RecordFile } from './ports.ts';

/** Keys by which rows and blocks are found again or proven. */
const EXACT: ReadonlySet<string> = new Set(['id', 'commit', 'kept', 'tool_use_id', 'signature', 'data']);

export interface Exported {
  readonly state: State;
  readonly clean: WithoutSecrets;
}

/** `jobId` null: everything. */
export async function exportRecord(
  ports: ExportPorts,
  { state, clean }: Exported,
  jobId: string | null,
): Promise<Omit<ExportedRecord, 'target'>> {
  if (jobId !== null) need(state, 'jobs', jobId);
  const files: RecordFile[] = [];
  const add = (path: string, text: string): void => void files.push({ path, data: Buffer.from(text) });
  const found = recordRows(state, jobId);
  const renamed = await addArtifacts(ports, found, clean, add);
  const named = dataWithoutSecrets(found, (text) => renamed.get(text) ?? clean(text), EXACT);
  const rows = { ...named, attempts: await addKept(ports, named.attempts, clean, files) };
  for (const { id } of rows.sessions) {
    const entries = dataWithoutSecrets(await ports.transcript(id), clean, EXACT);
    if (entries.length === 0) continue;
    add(`sessions/${id}.json`, linesOf(entries));
    add(`sessions/${id}.md`, entriesText(id, entries));
  }
  addTexts(rows, add);
  const record = await ports.write(files);
  return { files: record.files.size, jobs: rows.jobs.length, hash: record.hash };
}

/** JSON, one value per line. */
function linesOf(items: readonly unknown[]): string {
  return items.length === 0 ? '[]\n' : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;
}

function addTexts(rows: RecordRows, add: (path: string, text: string) => void): void {
  for (const table of TABLE_NAMES) add(`state/${table}.json`, linesOf(rows[table].map((row) => inOrder(table, row))));
  add('README.md', indexText(rows));
  for (const job of rows.jobs) add(`jobs/${job.id}.md`, jobText(rows, job));
  for (const id of projectsIn(rows)) add(`projects/${id}.md`, projectText(rows, id));
  for (const task of rows.tasks) add(`tasks/${task.id}.md`, taskText(rows, task));
}

/** Puts the fields in the order of the columns, whatever the source of the row. */
function inOrder(table: TableName, row: object): object {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(COLUMNS[table]).map((name) => [name, values[name] ?? null]));
}

function stringsIn(value: unknown, found: Set<string>): Set<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) stringsIn(inner, found);
  return found;
}

/** The artifacts that the rows name. A redacted artifact gets a new name, because the name is a hash of the content. */
async function addArtifacts(
  { artifacts }: ExportPorts,
  rows: RecordRows,
  clean: WithoutSecrets,
  add: (path: string, text: string) => void,
): Promise<ReadonlyMap<string, string>> {
  const renamed = new Map<string, string>();
  const made = new Set<string>();
  for (const name of [...stringsIn(rows, new Set())].filter(artifacts.isName).sort()) {
    const text = await artifacts.get(name);
    if (text === null) continue;
    const cleaned = clean(text);
    const now = artifacts.nameOf(Buffer.from(cleaned));
    renamed.set(name, now);
    if (!made.has(now)) add(`artifacts/${now}`, cleaned);
    made.add(now);
  }
  return renamed;
}

/** A patch is bytes: one character each while secrets are looked for. One that held any cannot be restored any more. */
async function addKept(
  { kept }: ExportPorts,
  attempts: readonly AttemptRow[],
  clean: WithoutSecrets,
  files: RecordFile[],
): Promise<readonly AttemptRow[]> {
  const cleaned = (patch: Uint8Array): Uint8Array => {
    const text = Buffer.from(patch).toString('latin1');
    const without = clean(text);
    return without === text ? patch : Buffer.from(without, 'latin1');
  };
  const rows: AttemptRow[] = [];
  for (const attempt of attempts) {
    const file = await kept.get(attempt.id);
    if (file === null || (attempt.kept !== null && attempt.kept !== file.hash)) {
      rows.push(attempt);
      continue;
    }
    const { start, work, ...rest } = parseKept(file.data);
    const data = keptBytes({
      ...rest,
      start: { ...start, patch: cleaned(start.patch) },
      work: { ...work, patch: cleaned(work.patch) },
    });
    files.push({ path: `attempts/${attempt.id}.patch`, data });
    rows.push(attempt.kept === null ? attempt : { ...attempt, kept: kept.hashOf(data) });
  }
  return rows;
}
