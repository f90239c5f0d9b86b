/**
 * The one writer of the state: a draft becomes an event when the reducer allows it and the log made it durable, and
 * only then does anyone hear of it. Two folds are kept: what is committed, and that plus what is on its way to the disk.
 */
import { changesTo, LOST_TAIL_HINT, type LostTail, lostTailText } from '../core/lostTail.ts';
import type { Clock } from '../shared/clock.ts';
import { isoTime } from '../shared/clock.ts';
import { type AutonomousError, asFailure, failure, messageOf } from '../shared/errors.ts';
import type { Event, EventDraft } from '../shared/events.ts';
import { applyChanges, type Change, emptyState, type State, TABLE_NAMES, type TableName } from '../shared/state.ts';
import type {
  EventLog,
  ImportedDraft,
  LogContent,
  LogOrigin,
  LogPoint,
  OldFile,
  OldState,
  Problem,
  Projection,
} from './ports.ts';

export type Reduce = (state: State, event: Event) => readonly Change[];
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
  /** Only of a state that is looked at: its log lost its end. null: it did not. */
  readonly lostTail: LostTail | null;
  /**
   * One transition: durable and told to every subscriber when it resolves. A function sees the newest state, drafts on
   * their way to the disk included. Rejects with what the reducer refuses, DISK, OWNER_LOST, STATE_FOREIGN or STATE_NEWER; then
   * nothing has changed.
   */
  commit(draft: Draft): Promise<Event>;
  /** Fresh ids, in order; never given twice. */
  nextIds(table: NumberedTable, count: number): number[];
  /** Calls back after each commit, in order, with the state already changed. Returns how to stop. */
  subscribe(listener: StoreListener): () => void;
  /** Waits for commits under way, writes the database, lets go of the files. */
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly log: EventLog;
  /** null: no database is read or written. */
  readonly projection: Projection | null;
  /** Absent: what another tool left is not looked at. */
  readonly old?: OldState;
  readonly reduce: Reduce;
  readonly clock: Clock;
  /** What of a draft is kept; all of it. */
  readonly kept?: (draft: EventDraft) => EventDraft;
  /** null: only read. Nothing is written then, and no epoch claimed. */
  readonly owner: { readonly pid: number; readonly version: string } | null;
  /** Event types that `reduce` knows; a log with another one is from a newer version. */
  readonly eventTypes: readonly string[];
  /** Size of the log from which on the database is loaded instead. */
  readonly replayBytes?: number;
  /** Told of a problem that is met after the opening. */
  readonly problem?: (problem: Problem) => void;
  /** Whether a person wants what the database holds beyond a log that lost its end. Without it such a state cannot be owned. */
  readonly restores?: boolean;
  /** Whether the log is another process's that lives: what that one wrote meanwhile is no lost end. */
  readonly follows?: boolean;
  /** Throws where what lies beside the log may not be opened, which only the state can tell. Before anything is written. */
  readonly checked?: (state: State) => Promise<void>;
}

/** Below this size of the log, folding its events is faster than starting SQLite and loading the database (measured). */
const REPLAY_BYTES = 4 * 1024 * 1024;

const OLD_FILES = ['database', 'progress'] as const;

interface Opened {
  readonly state: State;
  readonly sequences: Map<TableName, number>;
  readonly content: LogContent;
  readonly problems: Problem[];
  /** `source` of every import so far, as far as replayed. */
  readonly imports: ReadonlySet<string>;
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

function noteIds(sequences: Map<TableName, number>, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.table === 'meta' || !('put' in change) || typeof change.put.id !== 'number') continue;
    if (change.put.id > (sequences.get(change.table) ?? 0)) sequences.set(change.table, change.put.id);
  }
}

/** Folds what can be folded; what the reducer refuses after a gap is left out and told. */
function fold(base: Pick<Opened, 'state' | 'sequences'>, content: LogContent, options: StoreOptions): Opened {
  const { state, sequences } = base;
  const problems = [...content.problems];
  const imports = new Set<string>();
  const known = new Set(options.eventTypes);
  let origin = content.origin;
  for (const event of content.events) {
    const where = { file: `epoch ${event.epoch}, event ${event.seq} (${event.type})`, line: null };
    if (!known.has(event.type)) {
      if (origin === 'own') origin = 'newer';
      problems.push({ ...where, what: 'an event of a newer version' });
      continue;
    }
    try {
      const changes = options.reduce(state, event);
      applyChanges(state, changes);
      noteIds(sequences, changes);
      if (event.type === 'imported') imports.add(event.source);
    } catch (thrown) {
      // Hostile or damaged history may hold anything, and activation must succeed (R12).
      problems.push({ ...where, what: `left out: ${messageOf(thrown)}` });
    }
  }
  if (content.end !== null) state.meta = { ...state.meta, last_seq: content.end.seq, epoch: content.end.epoch };
  return { state, sequences, content: { ...content, origin }, problems, imports };
}

async function replay(options: StoreOptions): Promise<Opened> {
  const { log, projection, replayBytes = REPLAY_BYTES } = options;
  const saved = projection !== null && (await log.size()) > replayBytes ? await projection.load() : null;
  if (saved !== null) {
    const content = await log.read(saved.at);
    if (content.continues && content.origin !== 'foreign') {
      return fold({ state: saved.state, sequences: new Map(saved.sequences) }, content, options);
    }
  }
  return fold({ state: emptyState(), sequences: new Map() }, await log.read(null), options);
}

/** What came after a reading, folded onto it. */
function resume(before: Opened, rest: LogContent, options: StoreOptions): Opened {
  const opened = fold(before, { ...rest, end: rest.end ?? before.content.end }, options);
  return {
    ...opened,
    problems: rest.events.length === 0 ? before.problems : [...before.problems, ...opened.problems],
    imports: new Set([...before.imports, ...opened.imports]),
  };
}

/** The last event that something beside the log knows. Read before the log, which only grows: an owner may be at work. */
async function lastKnown({ log, projection, follows }: StoreOptions): Promise<number> {
  if (follows === true) return 0;
  return Math.max((await projection?.lastWritten()) ?? 0, await log.lastClaimed());
}

/** null: the log holds all that is known. A log that is gone is known by the database alone: to begin anew would lose its rows. */
async function lostTailOf({ content }: Opened, known: number, options: StoreOptions): Promise<LostTail | null> {
  const { origin, end } = content;
  if (origin === 'own' && (end?.seq ?? 0) < known) return { found: end?.seq ?? 0, known };
  if (origin !== 'empty' || options.follows === true) return null;
  const saved = (await options.projection?.load()) ?? null;
  return saved === null || saved.at.seq === 0 ? null : { found: 0, known: saved.at.seq };
}

/** Opens the state: to own it, when `owner` is given and the state is ours, else to look at it. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { owner } = options;
  const known = await lastKnown(options);
  const before = await replay(options);
  await options.checked?.(before.state);
  const lost = await lostTailOf(before, known, options);
  const isOthers = before.content.origin === 'foreign' || before.content.origin === 'newer';
  if (owner === null || isOthers) {
    if (lost !== null) {
      before.problems.push({ file: 'events', line: null, what: `${lostTailText(lost)}. ${LOST_TAIL_HINT}` });
    }
    if (!isOthers) await previewOld(options, before);
    return new LogStore(options, before, 0, lost);
  }
  if (lost !== null && options.restores !== true) {
    throw failure('STATE_INCOMPLETE', lostTailText(lost), { hint: LOST_TAIL_HINT, details: { ...lost } });
  }
  const epoch = await options.log.claim();
  try {
    return await begin(options, before, owner, epoch, lost);
  } catch (thrown) {
    // Who cannot begin claims nothing. What failed first is what counts.
    await options.log.close().catch(() => undefined);
    throw thrown;
  }
}

async function begin(
  options: StoreOptions,
  before: Opened,
  owner: NonNullable<StoreOptions['owner']>,
  epoch: number,
  lost: LostTail | null,
): Promise<Store> {
  const { projection } = options;
  // Only a reading after the claim holds all that the last owner was told it had committed.
  const rest = await options.log.read(before.content.end);
  const opened = rest.continues ? resume(before, rest, options) : await replay(options);
  const draft = lost === null ? null : await restored(opened, lost, projection);
  const store = new LogStore(options, opened, epoch);
  if (draft !== null) await store.commit(draft);
  await store.commit({ type: 'owner_started', pid: owner.pid, release: owner.version });
  const handled = await importOld(options, opened, (draft) => store.commit(draft));
  projection?.follow(store.state, store.end);
  if (handled.length > 0) await projection?.flush();
  for (const file of handled) await file.finish();
  return store;
}

/** Imports what another tool left, each file once and after a copy of it is stored. Returns the files of the imports. */
async function importOld(
  { old, clock }: StoreOptions,
  { sequences, imports, problems }: Opened,
  commit: (draft: ImportedDraft) => Promise<unknown>,
): Promise<readonly OldFile[]> {
  const imported: OldFile[] = [];
  // One after the other: the ids of the second file depend on the first.
  for (const name of OLD_FILES) {
    const file = (await old?.[name]((table) => sequences.get(table) ?? 0, isoTime(clock))) ?? null;
    if (file === null) continue;
    await file.keep();
    if (file.problem !== null) problems.push(file.problem);
    if (file.draft === null) continue;
    if (!imports.has(file.draft.source)) await commit(file.draft);
    imported.push(file);
  }
  return imported;
}

/** Shows what an owner would import, so that a workspace looks the same before its first owner and after. */
async function previewOld({ old, clock, reduce }: StoreOptions, { state, sequences, imports }: Opened): Promise<void> {
  for (const name of OLD_FILES) {
    const at = isoTime(clock);
    const draft = (await old?.[name]((table) => sequences.get(table) ?? 0, at))?.draft ?? null;
    if (draft === null || imports.has(draft.source)) continue;
    const { last_seq: seq, epoch } = state.meta;
    const changes = reduce(state, { ...draft, seq, epoch, at });
    applyChanges(state, changes);
    noteIds(sequences, changes);
  }
}

/** What takes over the database's rows. Numbers of events and of rows that are lost are not given again. */
async function restored(
  opened: Opened,
  { found, known }: LostTail,
  projection: Projection | null,
): Promise<Extract<EventDraft, { readonly type: 'state_restored' }>> {
  const saved = (await projection?.load()) ?? null;
  const isNewer = saved !== null && saved.at.seq > found;
  const source = (await projection?.keep()) ?? null;
  const changes = isNewer ? changesTo(opened.state, saved.state) : [];
  for (const [table, id] of isNewer ? saved.sequences : []) {
    if (id > (opened.sequences.get(table) ?? 0)) opened.sequences.set(table, id);
  }
  opened.state.meta = { ...opened.state.meta, last_seq: known };
  return { type: 'state_restored', source, found, known, changes };
}

interface Pending {
  readonly event: Event;
  readonly changes: readonly Change[];
  readonly resolve: (event: Event) => void;
  readonly reject: (reason: unknown) => void;
}

class LogStore implements Store {
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
