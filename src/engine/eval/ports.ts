/** Declares what an eval needs: tasks with their trees, runs of jobs, test runs, and the records of earlier runs. */
import type { Clock } from '../../shared/clock.ts';
import type { EvalNote, EvalResult } from '../../shared/eval/records.ts';
import type { CommandResult } from '../session/commandPorts.ts';
import type { RequestInput } from '../state/api.ts';

export interface EvalTask {
  /** Identifies the trees and the brief. */
  readonly id: string;
  readonly title: string;
  readonly brief: string;
  readonly category: string;
  /** The test command and the setup commands of the task itself. Null if the eval's commands apply. */
  readonly test: string | null;
  readonly setup: readonly string[] | null;
  /** Whether the trees include a solution, so that the hidden tests can be checked against it. */
  readonly hasSolution: boolean;
  /** Text of `package.json` at the top of the tree with the hidden tests. Null if there is none. */
  readonly manifest: string | null;
}

/** A task, or the reason why a commit or a folder is not used. */
export type Candidate = { readonly task: EvalTask } | { readonly name: string; readonly refused: string };

/** Which code the hidden tests judge: a tree of the task, or the tip of a repository that a job worked in. */
export type GradedCode = 'before' | 'solution' | { readonly repository: string };

export interface TaskTrees {
  /** Newest first. Reads on only as far as it is asked. */
  candidates(): AsyncIterable<Candidate>;
  /**
   * Makes a repository in the new folder whose only commit is the tree before the change. None of its objects contains the
   * solution or a hidden test.
   */
  startRepository(task: EvalTask, folder: string): Promise<void>;
  /** Writes the code with the hidden tests in place into the empty folder. */
  writeGraded(task: EvalTask, code: GradedCode, folder: string): Promise<void>;
}

/** Options of the brief of one run, without the brief. */
export type VariantRequest = Omit<RequestInput<'submitBrief'>, 'brief' | 'gates' | 'mergeMode' | 'setup' | 'project'>;

/** Settings to compare. */
export interface Variant {
  readonly name: string;
  readonly request: VariantRequest & { readonly budgetMicroUsd: number };
}

export interface RunFacts
  extends Pick<
    EvalResult,
    'executor' | 'model' | 'provider' | 'microUsd' | 'unpricedCalls' | 'turns' | 'seconds' | 'worker'
  > {}

/** `stopped`: the job ended without a result. `void`: the model, the machine or the engine failed. */
export interface RunEnd {
  readonly outcome: 'completed' | 'stopped' | 'void';
  /** Empty if the job completed. */
  readonly reason: string;
  readonly facts: RunFacts;
}

/** Where runs and checks take place. Agents of other runs cannot read its folders. */
export interface Workshop {
  /** A new folder for one run. It is kept until `remove`, so that the run can be resumed. */
  makeFolder(): Promise<string>;
  /** Whether a run was begun in this folder and can be resumed. False for a path outside of this workshop. */
  hasRun(folder: string): Promise<boolean>;
  /** Also removes the folder's checkouts. Ignores a path outside of this workshop. */
  remove(folder: string): Promise<void>;
  /** Path of the repository in a run's folder. */
  repositoryIn(folder: string): string;
  /** Starts the job in the run's repository, or resumes it. Throws ABORTED after `signal`; the run can then be resumed. */
  run(folder: string, request: RequestInput<'submitBrief'>, signal: AbortSignal): Promise<RunEnd>;
  /** Calls `use` with an empty folder, and removes it afterwards. */
  inCheckout<T>(use: (folder: string) => Promise<T>): Promise<T>;
  /** Runs a command in the sandbox, without an agent. No file of it remains outside the folder. */
  command(folder: string, command: string, network: 'none' | 'registries', signal: AbortSignal): Promise<CommandResult>;
}

export interface EvalRecords {
  readonly results: readonly EvalResult[];
  readonly notes: readonly EvalNote[];
  /** Both are durable when they resolve. */
  addResult(result: EvalResult): Promise<void>;
  addNote(note: EvalNote): Promise<void>;
}

/** How the tests of a task are run. */
export interface Check {
  readonly test: string;
  readonly setup: readonly string[];
}

export interface EvalPlan {
  /** Number of tasks. */
  readonly count: number;
  readonly variants: readonly Variant[];
  readonly repeat: number;
  /** Micro-USD for all runs together, those of earlier invocations included. */
  readonly budgetMicroUsd: number;
  /** Null to detect the command. */
  readonly test: string | null;
  readonly setup: readonly string[];
  /** Number of runs at a time. */
  readonly parallel: number;
  /** Whether the model calls are sent in batches, which cost half and take longer. */
  readonly batchPrices: boolean;
}

export interface EvalPorts {
  readonly trees: TaskTrees;
  readonly workshop: Workshop;
  readonly records: EvalRecords;
  readonly clock: Clock;
  readonly release: string;
  /** Progress, one line. */
  say(text: string): void;
  readonly signal: AbortSignal;
}

export interface ChosenTask {
  readonly task: EvalTask;
  readonly check: Check;
}
