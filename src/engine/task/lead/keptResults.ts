/**
 * Stores long results in files, and removes each with the last step that has it: an hourly task would fill the disk in a year.
 */

import { messageOf } from '../../../shared/errors.ts';
import type { Change } from '../../../shared/workspace/state.ts';
import type { Store } from '../../state/store.ts';
import type { ResultFiles } from '../ports.ts';

export interface RemovableFiles extends ResultFiles {
  /** No effect if the file does not exist. */
  remove(name: string): Promise<void>;
}

export interface KeptResults extends ResultFiles {
  close(): Promise<void>;
}

type Counts = Map<string, number>;

function add(counts: Counts, name: string, more: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

/** Files have the names of their contents, so several steps may have one. What a kill leaves behind is not looked for again. */
export function keepResults(store: Store, files: RemovableFiles, problem: (text: string) => void): KeptResults {
  const nameOf = new Map<number, string>();
  const recorded: Counts = new Map();
  /** Written, and not in a row yet. A result that never gets into a row stays. */
  const written: Counts = new Map();
  let last: Promise<unknown> = Promise.resolve();

  /** Removals run one after the other, so that a file that is being removed does not count as written. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  function record(step: number, name: string | null): void {
    if (name === null || nameOf.get(step) === name) return;
    nameOf.set(step, name);
    add(recorded, name, 1);
    add(written, name, -1);
  }

  async function removeUnused(name: string): Promise<void> {
    if (recorded.has(name) || written.has(name) || isOfJob(store, name)) return;
    await files.remove(name);
  }

  function forget(step: number): void {
    const name = nameOf.get(step);
    if (name === undefined) return;
    nameOf.delete(step);
    add(recorded, name, -1);
    inTurn(() => removeUnused(name)).catch((thrown: unknown) =>
      problem(`a result of a removed task could not be removed: ${messageOf(thrown)}`),
    );
  }

  function heard(change: Change): void {
    if (change.table !== 'task_steps') return;
    if ('put' in change) record(change.put.id, change.put.result_artifact);
    else forget(change.drop);
  }

  for (const { id, result_artifact } of store.state.task_steps.values()) record(id, result_artifact);
  const unsubscribe = store.subscribe((_event, changes) => changes.forEach(heard));
  return {
    get: (name) => files.get(name),
    put: (text) =>
      inTurn(async () => {
        const name = await files.put(text);
        add(written, name, 1);
        return name;
      }),
    close: async () => {
      unsubscribe();
      await last;
    },
  };
}

/** The same folder contains the evidence of jobs. */
function isOfJob({ state }: Store, name: string): boolean {
  for (const { diff, evidence } of state.attempts.values()) {
    if (diff === name || evidence.some(({ artifact }) => artifact === name)) return true;
  }
  return false;
}
