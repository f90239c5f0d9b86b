/** Declares the dependencies of the task runner. */

import type { Clock } from '../../shared/clock.ts';
import type { StepActions, StepOrder, StepResult } from '../../shared/task/taskWork.ts';
import type { Input } from '../job/requests/ports.ts';
import type { NumberedTable, Store } from '../state/store.ts';

/** Runs work outside of the owner: in the thread of the step's project, or in the extension that registered its action. */
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
  /**
   * Files a brief under this id. No effect if the job exists. Throws what `submitBrief` throws, except for an unusable model: the
   * job asks.
   */
  file(jobId: string, input: Input<'submitBrief'>): Promise<void>;
  /** Starts a filed job in this process. Idempotent. */
  goOn(jobId: string): void;
  /** No effect if the job has ended or is being merged. */
  cancel(jobId: string, reason: string): Promise<void>;
}

export interface RunnerPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly worker: StepWorker;
  /** Actions of other extensions. Null if none can be registered here. */
  readonly actions: Pick<StepActions, 'names' | 'changed'> | null;
  readonly results: ResultFiles;
  readonly briefs: TaskBriefs;
  /** Default models of steps and of summaries. */
  readonly models: { readonly task: string; readonly summarizer: string };
  /** Logs a problem that no caller is waiting for. `text` is one sentence. */
  problem(text: string): void;
}

export function oneId({ store }: Pick<RunnerPorts, 'store'>, table: NumberedTable): number {
  const [id] = store.nextIds(table, 1);
  if (id === undefined) throw new Error('the store gave no id');
  return id;
}
