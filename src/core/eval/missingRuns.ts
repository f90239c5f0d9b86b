/** Decides which runs of an eval are still missing, in which order they start, and whether the money for the next one is left. */
import type { EvalNote, EvalResult } from '../../shared/eval/records.ts';

/** One run of the eval: its results can be recognized by these three. */
export interface RunKey {
  readonly task: string;
  /** The fingerprint of a variant's settings and of the checks. */
  readonly settings: string;
  readonly repetition: number;
}

export const runName = ({ task, settings, repetition }: RunKey): string => `${task} ${settings} ${repetition}`;

/** Each task with each variant is run once before any is run again, so that an eval that ends early compares equal work. */
export function allRuns(tasks: readonly string[], variants: readonly string[], repeat: number): RunKey[] {
  const runs: RunKey[] = [];
  for (let repetition = 1; repetition <= repeat; repetition++)
    for (const task of tasks) for (const settings of variants) runs.push({ task, settings, repetition });
  return runs;
}

/** The results that count, by the name of their run. A void result does not count: its run is repeated. */
export function resultsOf(results: readonly EvalResult[], runs: readonly RunKey[]): Map<string, EvalResult> {
  const wanted = new Set(runs.map(runName));
  const found = new Map<string, EvalResult>();
  for (const result of results) {
    const name = runName(result);
    if (wanted.has(name) && result.outcome !== 'void' && !found.has(name)) found.set(name, result);
  }
  return found;
}

export function missingRuns(results: readonly EvalResult[], runs: readonly RunKey[]): RunKey[] {
  const found = resultsOf(results, runs);
  return runs.filter((run) => !found.has(runName(run)));
}

/** What these runs have cost, void and lost ones included. */
export function spentOn(results: readonly EvalResult[], notes: readonly EvalNote[], runs: readonly RunKey[]): number {
  const wanted = new Set(runs.map(runName));
  const paid = results.filter((result) => wanted.has(runName(result))).reduce((sum, { microUsd }) => sum + microUsd, 0);
  const lost = notes.filter((note) => note.type === 'lost' && wanted.has(note.run));
  return lost.reduce((sum, note) => sum + (note.type === 'lost' ? note.microUsd : 0), paid);
}

export interface OpenRun {
  readonly run: string;
  readonly folder: string;
  readonly reservedMicroUsd: number;
}

/** Runs that were started and have neither a result nor a record of their loss. */
export function openRuns(results: readonly EvalResult[], notes: readonly EvalNote[]): OpenRun[] {
  const ended = new Map<string, number>();
  for (const result of results) ended.set(runName(result), (ended.get(runName(result)) ?? 0) + 1);
  const lost = new Set(notes.flatMap((note) => (note.type === 'lost' ? [note.folder] : [])));
  const open: OpenRun[] = [];
  for (const note of notes) {
    if (note.type !== 'started' || lost.has(note.folder)) continue;
    const left = ended.get(note.run) ?? 0;
    // Runs of one name start one after the other, so the first starts have the results.
    if (left > 0) ended.set(note.run, left - 1);
    else open.push(note);
  }
  return open;
}
