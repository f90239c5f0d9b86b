/** Reads and appends the records of evals: two files with one JSON object per line. */
import { join } from 'node:path';
import type { EvalRecords } from '../../../engine/eval/ports.ts';
import type { FileOps } from '../../../engine/state/storePorts.ts';
import { type EvalResult, evalNoteSchema, evalResultSchema } from '../../../shared/eval/records.ts';
import { openLines, readLines } from './jsonLines.ts';

export const evalDirOf = (stateDir: string): string => join(stateDir, 'eval');
const RESULTS = 'results.jsonl';
const NOTES = 'runs.jsonl';

export const recordFiles = (folder: string): readonly string[] => [join(folder, RESULTS), join(folder, NOTES)];

/** Creates the folder if it does not exist. */
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
export function readEvalResults(folder: string, ops: FileOps): Promise<readonly EvalResult[]> {
  return readLines(join(folder, RESULTS), evalResultSchema, ops);
}
