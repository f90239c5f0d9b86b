/** A project's worker thread as its host sees it, and the calls that cross between the two. Plain data only. */

import type { Observation } from '../../core/routing/evidence.ts';
import type { PlainFailure } from '../../shared/errors.ts';
import type { AskedBrief, JobAction } from '../../shared/job/jobTool.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { Payee } from '../../shared/model/models.ts';
import type { StepAssignment, StepResult } from '../../shared/task/taskWork.ts';
import type { Event, EventDraft } from '../../shared/workspace/events.ts';
import type { Change, State, TableName } from '../../shared/workspace/state.ts';

/** The start parameters of a worker thread. They contain no credential. */
export interface WorkerStart {
  readonly projectId: string;
  /** The repository that the project works on: its trusted workdir, or the workspace's. */
  readonly projectDir: string;
  /** The workspace's repository: that of every job that names no other. */
  readonly workspaceDir: string;
  readonly stateDir: string;
  readonly jobsDir: string;
  readonly configDir: string;
  readonly runtimeDir: string;
  readonly epoch: number;
  /** Version of this release. */
  readonly version: string;
  /** Ceiling of one verify or setup command. Null for the engine's default. */
  readonly verifyTimeoutMs: number | null;
  /** Whether commands run in the sandbox, if there is one. */
  readonly confine: boolean;
  /** Further folders that no command may read. */
  readonly hidden: readonly string[];
}

/** Result of a call that may fail: error classes do not survive the transfer. */
export type Answered<T> = { readonly value: T } | { readonly failure: PlainFailure };

/** The briefing of a conversation before a turn, as text for a model. */
export interface Briefing {
  /** Given with each turn. */
  readonly now: string;
  /** Names of the other projects; given when they changed. */
  readonly others: readonly string[];
  /** Projects of `others` that wait until this project is completed. */
  readonly waiting: readonly string[];
  /** Name and branch of its repository; given when they changed. Empty for the main agent. */
  readonly repository: string;
}

/** Calls from the worker to its owner. */
export interface OwnerCalls {
  commit(draft: EventDraft): Promise<Answered<Event>>;
  nextIds(table: TableName, count: number): Promise<readonly number[]>;
  /** Results of the whole workspace that routing decides on. A thread has no attempts of ended jobs, and no results of evals. */
  routingRecord(provider: Payee): Promise<readonly Observation[]>;
  live(line: LiveLine): void;
  /** Something that ends nothing and must be known, one sentence. */
  problem(text: string): void;
  /**
   * A job's loop ended without a stop, with a failure if it could not continue. `run` is from the newest `work` that it received.
   */
  ended(jobId: string, run: number, failure: PlainFailure | null): void;
  /** A brief of the conversation, filed in its own project. The same text from the same session is the same job. */
  submitBrief(sessionId: number, asked: AskedBrief): Promise<Answered<{ readonly jobId: string }>>;
  /** `long_running_task`, in its own project alone. The same asking from the same session makes one task. */
  taskTool(sessionId: number, input: unknown): Promise<Answered<string>>;
  /** A job of the project: read, or steered. NOT_FOUND for a job of another project. */
  jobTool(job: string, action: JobAction, reason: string): Promise<Answered<string>>;
  /** Finds messages of its conversation that hold all words of a query. Returns text for a model. */
  recall(query: string): Promise<Answered<string>>;
  /** A tool of the main agent, by its name; its answer in words. NOT_PERMITTED to any other project. */
  mainTool(name: string, input: unknown): Promise<Answered<string>>;
  /** The briefing before the next turn. `heldUpTo` is the highest message in the conversation. */
  briefing(heldUpTo: number): Promise<Answered<Briefing>>;
  /** The delivery of a message of the project, described for the project. */
  delivery(messageId: number): Promise<Answered<string>>;
  /** The conversation has nothing left to answer, or failed to continue. `run` is from the newest `converse` that it received. */
  conversed(run: number, failure: PlainFailure | null): void;
}

/** Calls from a conversation to the owner. */
export type ConversationCalls = Pick<
  OwnerCalls,
  'submitBrief' | 'taskTool' | 'jobTool' | 'recall' | 'mainTool' | 'briefing' | 'delivery'
>;

/** Calls from the owner to its worker. Events arrive in the order of the log, before the answer of the commit that made them. */
export interface WorkerCalls {
  /** Loads the project's part of the state, once, before the first work: until then a thread has no state. */
  load(state: State): void;
  /** A committed event, and its changes to the project's part of the state. */
  fold(event: Event, changes: readonly Change[]): void;
  /** `run` is greater each time. */
  work(jobId: string, run: number): void;
  /** Starts or resumes a turn. `run` is greater each time. */
  converse(run: number): void;
  /** Runs a step of a task. `run` is greater each time. An earlier run of the same step is waited for. */
  step(run: number, order: StepAssignment): Promise<StepResult>;
  abortStep(run: number): void;
  /** Answers at once, unless the thread is busy for ever. */
  ping(): Promise<boolean>;
  /** Interrupts everything durably. Resolves when none of the project's work runs any more. */
  stop(): Promise<void>;
}

/** A project's conversation in its thread. */
export interface ProjectConversation {
  /** A running conversation adopts the newer run. */
  converse(run: number): void;
  /** Call for each event after it was folded. */
  heard(event: Event): void;
  stop(): Promise<void>;
}

export interface ProjectThread extends Pick<WorkerCalls, 'load' | 'fold' | 'work' | 'converse' | 'abortStep'> {
  /** Milliseconds without a ping reply after which a busy thread is terminated. Default: one minute. */
  readonly patienceMs?: number;
  /** Never rejects: `interrupted` if the thread dies meanwhile, `aborted` if the thread is stopped. */
  step(run: number, order: StepAssignment): Promise<StepResult>;
  /** Resolves when the thread answers, or has ended. */
  ping(): Promise<void>;
  /** Terminates the thread at once; `gone` resolves to this cause. */
  kill(cause: string): void;
  /** Stops gracefully within `graceMs`, then terminates the thread; its work is resumed later. */
  stop(graceMs: number): Promise<void>;
  /** Resolves when the thread has ended: to the cause, or null if it was stopped. */
  readonly gone: Promise<string | null>;
}

export type SpawnProjectThread = (start: WorkerStart, owner: OwnerCalls) => ProjectThread;
