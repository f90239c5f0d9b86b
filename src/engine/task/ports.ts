/** What the runner of tasks needs of the outside. */

import type { Clock } from '../../shared/clock.ts';
import type { StepActions, StepOrder, StepResult } from '../../shared/task/taskWork.ts';
import type { Input } from '../job/requests/ports.ts';
import type { NumberedTable, Store } from '../state/store.ts';

/** Carries out what leaves the owner: in the thread of the step's project, or by who registered its action. */
export interface StepWorker {
  /** Never rejects for what the step does, and never hangs after an abort. */
  carryOut(order: StepOrder, signal: AbortSignal): Promise<StepResult>;
}

/** Long results, as JSON, under the hash of their content. */
export interface ResultFiles {
  put(text: string): Promise<string>;
  get(name: string): Promise<string | null>;
}

/** Jobs as steps. */
export interface TaskBriefs {
  newId(): string;
  /** Under this id; one that is there already is left as it is. Throws as `submitBrief` does, except for a model that cannot be used: the job asks. */
  file(jobId: string, input: Input<'submitBrief'>): Promise<void>;
  /** Sees to it that one that was filed is carried out here; asking again is harmless. */
  goOn(jobId: string): void;
  /** Does nothing to one that is over or being merged. */
  cancel(jobId: string, reason: string): Promise<void>;
}

export interface RunnerPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly worker: StepWorker;
  /** What others have registered; null: nobody can here. */
  readonly actions: Pick<StepActions, 'names' | 'changed'> | null;
  readonly results: ResultFiles;
  readonly briefs: TaskBriefs;
  /** Models of steps, and of summaries, where nothing else was chosen. */
  readonly models: { readonly task: string; readonly summarizer: string };
  /** What nobody waits for and must be known, one sentence. */
  problem(text: string): void;
}

export function oneId({ store }: Pick<RunnerPorts, 'store'>, table: NumberedTable): number {
  const [id] = store.nextIds(table, 1);
  if (id === undefined) throw new Error('the store gave no id');
  return id;
}
