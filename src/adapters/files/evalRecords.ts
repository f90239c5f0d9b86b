/** Reads and appends the records of evals: two files with one JSON object per line. */
import { join } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../../core/text/json.ts';
import type { EvalRecords } from '../../engine/eval/ports.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { type EvalResult, evalNoteSchema, evalResultSchema } from '../../shared/eval/records.ts';

export const evalDirOf = (stateDir: string): string => join(stateDir, 'eval');
const RESULTS = 'results.jsonl';
const NOTES = 'runs.jsonl';

export const recordFiles = (folder: string): readonly string[] => [join(folder, RESULTS), join(folder, NOTES)];

/** Creates the folder if it does not exist. Lines that are not whole, because a write was interrupted, are left out. */
export async function openEvalRecords(folder: string, ops: FileOps): Promise<EvalRecords> {
  await ops.makeDir(folder);
  const results = await openLines(join(folder, RESULTS), evalResultSchema, ops);
  const notes = await openLines(join(folder, NOTES), evalNoteSchema, ops);
  return { results: results.all, notes: notes.all, addResult: results.add, addNote: notes.add };
}

/** Whether there is a file of results. A link is not one. */
export async function hasEvalResults(folder: string, ops: FileOps): Promise<boolean> {
  return (await ops.stat(join(folder, RESULTS)))?.kind === 'file';
}

/** Creates nothing. */
export async function readEvalResults(folder: string, ops: FileOps): Promise<readonly EvalResult[]> {
  return wholeLines(await textOf(join(folder, RESULTS), ops), evalResultSchema);
}

const textOf = async (path: string, ops: FileOps): Promise<string> =>
  Buffer.from((await ops.read(path)) ?? []).toString('utf8');

function wholeLines<T>(text: string, schema: z.ZodType<T>): T[] {
  return text.split('\n').flatMap((line) => {
    const read = schema.safeParse(parseJson(line));
    return read.success ? [read.data] : [];
  });
}

async function openLines<T>(path: string, schema: z.ZodType<T>, ops: FileOps) {
  const text = await textOf(path, ops);
  const all = wholeLines(text, schema);
  let isWhole = text === '' || text.endsWith('\n');
  const add = async (record: T): Promise<void> => {
    const file = await ops.openAppend(path);
    try {
      let rest: Uint8Array = Buffer.from(`${isWhole ? '' : '\n'}${JSON.stringify(record)}\n`);
      isWhole = false;
      while (rest.length > 0) rest = rest.subarray(await file.write(rest));
      await file.sync();
      isWhole = true;
    } finally {
      await file.close();
    }
    await ops.syncDir(join(path, '..'));
    all.push(record);
  };
  return { all, add };
}
