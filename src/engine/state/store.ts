/**
 * The one writer of the state: a draft becomes an event when the reducer allows it and the log made it durable, and
 * only then is anyone notified. Two folds are kept: what is committed, and that plus what is on its way to the disk.
 */
import type { LostTail } from '../../core/state/lostTail.ts';
import type { Clock } from '../../shared/clock.ts';
import { isoTime } from '../../shared/clock.ts';
import { type AutonomousError, asFailure, failure, messageOf } from '../../shared/errors.ts';
import type { Event, EventDraft } from '../../shared/workspace/events.ts';
import {
  applyChanges,
  type Change,
  emptyState,
  type State,
  TABLE_NAMES,
  type TableName,
} from '../../shared/workspace/state.ts';
import { fold, noteIds, type Opened, type ReplayOptions } from './replayedLog.ts';
import type { EventLog, LogOrigin, LogPoint, OldState, Problem, Projection } from './storePorts.ts';

export type Draft = EventDraft | ((state: State) => EventDraft);
export type StoreListener = (event: Event, changes: readonly Change[]) => void;
/** Tables whose ids are numbers. */
export type NumberedTable =
  | 'messages'
  | 'phases'
  | 'features'
  | 'attempts'
  | 'sessions'
  | 'notes'
  | 'approvals'
  | 'rules'
  | 'spends'
  | 'task_steps'
  | 'schedules';

export interface Store {
  /** Committed, and changed in place: read it, never keep rows of it across an await. */
  readonly state: State;
  /** 0 when this process only reads. */
  readonly epoch: number;
  /** `own` and `empty` states can be continued; others are only shown. */
  readonly origin: LogOrigin;
  readonly problems: readonly Problem[];
  /** Only in a read-only state whose log is truncated, else null. */
  readonly lostTail: LostTail | null;
  /**
   * Commits one transition. When it resolves, the event is durable and every subscriber was notified. A function as draft
   * receives the newest state, including drafts on their way to the disk. Rejects with what the reducer rejects, DISK,
   * OWNER_LOST, STATE_FOREIGN or STATE_NEWER; then nothing has changed.
   */
  commit(draft: Draft): Promise<Event>;
  /** Fresh ids, in order; never given twice. */
  nextIds(table: NumberedTable, count: number): number[];
  /** Calls back after each commit, in order, with the state already changed. Returns how to stop. */
  subscribe(listener: StoreListener): () => void;
  /** Waits for pending commits, writes the database, closes the files. */
  close(): Promise<void>;
}

export interface StoreOptions extends ReplayOptions {
  readonly log: EventLog;
  /** If null, no database is read or written. */
  readonly projection: Projection | null;
  /** If absent, state of another tool is not imported. */
  readonly old?: OldState;
  readonly clock: Clock;
  /** Reduces a draft to what is stored. Defaults to the whole draft. */
  readonly kept?: (draft: EventDraft) => EventDraft;
  /** If null, the state is opened read-only, and no epoch is claimed. */
  readonly owner: { readonly pid: number; readonly version: string } | null;
  /** Size of the log from which on the database is loaded instead. */
  readonly replayBytes?: number;
  /** Receives problems that occur after the opening. */
  readonly problem?: (problem: Problem) => void;
  /** Whether a person wants what the database holds beyond a log that lost its end. Without it such a state cannot be owned. */
  readonly restores?: boolean;
  /** Whether another living process writes the log: its later events do not mean that the log is truncated. */
  readonly follows?: boolean;
  /** Throws if the state shows that files beside the log must not be opened. Called before anything is written. */
  readonly checked?: (state: State) => Promise<void>;
}

function copyState(state: State): State {
  const copy = emptyState();
  replaceState(copy, state);
  return copy;
}

function replaceState(target: State, source: State): void {
  for (const name of TABLE_NAMES) {
    const rows = target[name] as Map<unknown, unknown>;
    rows.clear();
    for (const [id, row] of source[name]) rows.set(id, row);
  }
  target.meta = source.meta;
}

interface Pending {
  readonly event: Event;
  readonly changes: readonly Change[];
  readonly resolve: (event: Event) => void;
  readonly reject: (reason: unknown) => void;
}

/** Created by `openStore` only. */
export class LogStore implements Store {
  readonly state: State;
  readonly epoch: number;
  readonly origin: LogOrigin;
  readonly lostTail: LostTail | null;
  end: LogPoint | null;
  readonly #options: StoreOptions;
  /** Committed plus queued. */
  readonly #ahead: State;
  readonly #sequences: Map<TableName, number>;
  readonly #problems: Problem[];
  readonly #listeners = new Set<StoreListener>();
  #queue: Pending[] = [];
  #writing: Promise<void> | null = null;
  /** A write failed: memory is checked against the disk before the next commit. */
  #suspect = false;
  #reloading: Promise<void> | null = null;
  #lost: AutonomousError | null = null;
  #closed = false;

  constructor(options: StoreOptions, opened: Opened, epoch: number, lostTail: LostTail | null = null) {
    this.#options = options;
    this.state = opened.state;
    this.epoch = epoch;
    this.origin = opened.content.origin;
    this.lostTail = lostTail;
    this.end = opened.content.end;
    this.#ahead = epoch === 0 ? opened.state : copyState(opened.state);
    this.#sequences = opened.sequences;
    this.#problems = opened.problems;
  }

  get problems(): readonly Problem[] {
    return [...this.#problems, ...(this.#options.projection?.problems ?? [])];
  }

  nextIds(table: NumberedTable, count: number): number[] {
    const last = this.#sequences.get(table) ?? 0;
    this.#sequences.set(table, last + count);
    return Array.from({ length: count }, (_, index) => last + 1 + index);
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async commit(draft: Draft): Promise<Event> {
    this.#assertWritable();
    while (this.#suspect) {
      this.#reloading ??= this.#reload().finally(() => {
        this.#reloading = null;
      });
      await this.#reloading;
      this.#assertWritable();
    }
    // No await between here and the queue: drafts are judged in the order in which they will be written.
    const drafted = typeof draft === 'function' ? draft(this.#ahead) : draft;
    const proposal = this.#options.kept?.(drafted) ?? drafted;
    const seq = this.#ahead.meta.last_seq + 1;
    const event = { seq, epoch: this.epoch, at: isoTime(this.#options.clock), ...proposal };
    const changes = this.#options.reduce(this.#ahead, event);
    applyChanges(this.#ahead, changes);
    noteIds(this.#sequences, changes);
    const { promise, resolve, reject } = Promise.withResolvers<Event>();
    this.#queue.push({ event, changes, resolve, reject });
    this.#writing ??= this.#write();
    return promise;
  }

  #assertWritable(): void {
    if (this.#lost !== null) throw this.#lost;
    if (this.#closed) throw failure('ABORTED', 'the store is closed');
    if (this.origin === 'foreign') {
      throw failure('STATE_FOREIGN', 'this state was written by another installation', {
        hint: 'It can be looked at. To work here, move the folder .autonomous away, or bring the key file of that installation.',
      });
    }
    if (this.origin === 'newer') {
      throw failure('STATE_NEWER', 'this state was written by a newer version of Autonomous', {
        hint: 'It can be looked at. To continue it, update Autonomous.',
      });
    }
    if (this.epoch === 0) throw failure('NOT_PERMITTED', 'this state was opened to be read');
  }

  /** Writes the queue, everything of one tick at once, until it is empty. */
  async #write(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        const events = batch.map(({ event }) => event);
        const end = await this.#options.log.append(events, this.end);
        this.#acknowledge(batch, end);
      } catch (thrown) {
        this.#suspect = true;
        const problem = asFailure(thrown);
        if (problem.code === 'OWNER_LOST') this.#lost = problem;
        for (const { reject } of [...batch, ...this.#queue]) reject(problem);
        this.#queue = [];
      }
    }
    this.#writing = null;
  }

  #acknowledge(batch: readonly Pending[], end: LogPoint): void {
    this.end = end;
    for (const { event, changes, resolve } of batch) {
      applyChanges(this.state, changes);
      for (const listener of this.#listeners) this.#tell(listener, event, changes);
      resolve(event);
    }
    this.#options.projection?.apply(
      batch.flatMap(({ changes }) => changes),
      end,
    );
  }

  #tell(listener: StoreListener, event: Event, changes: readonly Change[]): void {
    try {
      listener(event, changes);
    } catch (thrown) {
      // The event is durable whatever a listener makes of it.
      const what = `a subscriber failed: ${messageOf(thrown)}`;
      const problem = { file: `event ${event.seq}`, line: null, what };
      this.#problems.push(problem);
      this.#options.problem?.(problem);
    }
  }

  /** Forgets what was on its way, and makes sure that the disk holds what was acknowledged. */
  async #reload(): Promise<void> {
    await this.#writing;
    const content = await this.#options.log.read(null);
    const last = this.end?.seq ?? 0;
    const events = content.events.filter((event) => event.seq <= last);
    const readBack = fold(
      { state: emptyState(), sequences: new Map() },
      { ...content, events, end: this.end, problems: [] },
      this.#options,
    );
    if ((events.at(-1)?.seq ?? 0) !== last) {
      throw failure('STATE_DAMAGED', 'the log lost events that were committed', {
        hint: 'Restart; what is left is read then.',
        details: { expected: last, found: events.at(-1)?.seq ?? 0 },
      });
    }
    replaceState(this.state, readBack.state);
    replaceState(this.#ahead, readBack.state);
    this.#suspect = false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
    await this.#options.projection?.close(this.#lost !== null);
    await this.#options.log.close();
  }
}
