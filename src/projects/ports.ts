/** A project's worker thread as its host sees it, and the calls that cross between the two. Plain data only. */

import type { PlainFailure } from '../shared/errors.ts';
import type { Event, EventDraft } from '../shared/events.ts';
import type { LiveLine } from '../shared/live.ts';
import type { State, TableName } from '../shared/state.ts';

/** Everything that a worker thread is told at its start. No credential is among it. */
export interface WorkerStart {
  readonly projectId: string;
  readonly projectDir: string;
  readonly stateDir: string;
  readonly jobsDir: string;
  readonly configDir: string;
  readonly runtimeDir: string;
  readonly epoch: number;
  /** Ceiling of one verify or setup command; null: the engine's own. */
  readonly verifyTimeoutMs: number | null;
  /** Whether commands run in the sandbox where there is one. */
  readonly confine: boolean;
  /** Everything committed so far. */
  readonly state: State;
}

/** What a call that may fail gives back: classes do not survive the way. */
export type Answered<T> = { readonly value: T } | { readonly failure: PlainFailure };

/** What the worker asks of its owner. */
export interface OwnerCalls {
  commit(draft: EventDraft): Promise<Answered<Event>>;
  nextIds(table: TableName, count: number): Promise<readonly number[]>;
  live(line: LiveLine): void;
  /** A job's loop came to an end by itself; a failure when it could not go on. `run` is of the newest `work` that it heard. */
  ended(jobId: string, run: number, failure: PlainFailure | null): void;
}

/** What the owner tells its worker. Events come in the order of the log, before the answer of the commit that made them. */
export interface WorkerCalls {
  fold(event: Event): void;
  /** `run` is greater each time. */
  work(jobId: string, run: number): void;
  /** Interrupts everything durably; resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

export interface ProjectThread {
  fold(event: Event): void;
  work(jobId: string, run: number): void;
  /** Graceful within `graceMs`, then the thread is ended; what it held is resumed later. */
  stop(graceMs: number): Promise<void>;
  /** Resolves when the thread is gone, with why when nobody stopped it. */
  readonly gone: Promise<string | null>;
}

export type SpawnProjectThread = (start: WorkerStart, owner: OwnerCalls) => ProjectThread;
