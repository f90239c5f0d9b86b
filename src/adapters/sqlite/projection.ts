/** Implements `Projection` on a file: `.autonomous/features.db`, and beside it the proof that Autonomous wrote it. */
import { join } from 'node:path';
import { replaceFile } from '../../engine/state/filePorts.ts';
import type {
  FileOps,
  LineSeal,
  LogPoint,
  Problem,
  ProjectedState,
  Projection,
} from '../../engine/state/storePorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure, messageOf } from '../../shared/errors.ts';
import {
  type Change,
  emptyState,
  type Meta,
  type State,
  TABLE_NAMES,
  type TableName,
  type Tables,
} from '../../shared/workspace/state.ts';
import { type Copies, copiesIn } from './copies.ts';
import { Database } from './database.ts';
import { kindOfFile } from './fileHeader.ts';
import { SCHEMA_VERSION } from './schema.ts';

export const FILE = 'features.db';
const PERIOD_MS = 1_000;
const RETRY_MS = 30_000;
/** Limit of uninterrupted work before other work gets a turn. */
const SLICE_MS = 15;
/** Limit of blocking the event loop; a file that takes longer to export is written only on close. */
const BLOCK_MS = 50;
/** Limit of the share of time spent on exports. */
const DUTY = 0.02;

export interface ProjectionOptions {
  readonly stateDir: string;
  readonly ops: FileOps;
  readonly seal: LineSeal;
  readonly clock: Clock;
  /** Path of `sql-wasm.wasm` in a bundle; by default, that of the package. */
  readonly wasmFile?: string;
  /** Called for each problem when it occurs. */
  readonly problem?: (problem: Problem) => void;
}

export function openProjection(options: ProjectionOptions): Projection {
  return new FileProjection(options);
}

type Dirty = Map<TableName, Map<string | number, Tables[TableName] | null>>;

class FileProjection implements Projection {
  readonly problems: Problem[] = [];
  readonly #ops: FileOps;
  readonly #seal: LineSeal;
  readonly #clock: Clock;
  readonly #copies: Copies;
  readonly #path: string;
  readonly #wasmFile: string | undefined;
  readonly #tell: (problem: Problem) => void;
  #db: Database | null = null;
  /** The state that `#db` contained when it was loaded, until `follow`. */
  #loaded: State | null = null;
  #state: State | null = null;
  #at: LogPoint | null = null;
  #dirty: Dirty = new Map();
  #unwritten = false;
  #flushing: Promise<void> | null = null;
  #cancelTimer: (() => void) | null = null;
  #exportMs = 0;
  #failed = false;
  #closed = false;

  constructor({ stateDir, ops, seal, clock, wasmFile, problem }: ProjectionOptions) {
    this.#ops = ops;
    this.#seal = seal;
    this.#clock = clock;
    this.#copies = copiesIn(stateDir, ops);
    this.#path = join(stateDir, FILE);
    this.#wasmFile = wasmFile;
    this.#tell = problem ?? (() => undefined);
  }

  #problem(what: string): void {
    const problem = { file: FILE, line: null, what };
    this.problems.push(problem);
    this.#tell(problem);
  }

  async load(): Promise<ProjectedState | null> {
    try {
      const kind = await kindOfFile(this.#ops, this.#path);
      if (kind !== 'ours') {
        if (kind === 'other schema') this.#problem('it is of another version; rebuilt from the events');
        return null;
      }
      const bytes = await this.#ops.read(this.#path);
      const [proof] = await this.#proof();
      if (bytes === null || this.#seal.mac(bytes) !== proof) {
        this.#problem('it was changed by something else; rebuilt from the events');
        return null;
      }
      this.#db?.close();
      this.#db = await Database.open(bytes, this.#wasmFile);
      return this.#readState(this.#db);
    } catch (thrown) {
      this.#db = null;
      this.#problem(`it cannot be read (${messageOf(thrown)}); rebuilt from the events`);
      return null;
    }
  }

  /**
   * Lines of the file beside the database: the mac of its bytes, and the sealed point of the log at which it was
   * written.
   */
  async #proof(): Promise<readonly string[]> {
    const bytes = await this.#ops.read(`${this.#path}.mac`);
    return bytes === null ? [] : Buffer.from(bytes).toString('latin1').split('\n');
  }

  async lastWritten(): Promise<number> {
    const [, point = ''] = await this.#proof();
    if (this.#seal.check(Buffer.from(point, 'latin1')) === null) return 0;
    return (JSON.parse(point) as LogPoint).seq;
  }

  async keep(): Promise<string | null> {
    const bytes = await this.#ops.read(this.#path).catch((thrown: unknown) => {
      const details = { path: this.#path };
      throw failure('DISK', `cannot read ${this.#path}: ${messageOf(thrown)}`, { details, cause: thrown });
    });
    if (bytes === null) return null;
    const name = await this.#copies.nameOf(FILE, 'restored', bytes);
    await this.#copies.keep(FILE, name, bytes);
    return name;
  }

  #readState(db: Database): ProjectedState {
    const state = emptyState();
    for (const table of TABLE_NAMES) {
      const rows = state[table] as Map<string | number, unknown>;
      for (const row of db.rows(table)) rows.set(row.id, row);
    }
    const facts = db.meta();
    state.meta = JSON.parse(facts.get('facts') ?? '') as Meta;
    const at = JSON.parse(facts.get('at') ?? '') as LogPoint;
    this.#loaded = shallowCopy(state);
    return { state, at, sequences: db.sequences() };
  }

  follow(state: State, at: LogPoint | null): void {
    this.#state = state;
    this.#at = at;
    this.#dirty = difference(this.#loaded ?? emptyState(), state);
    this.#unwritten = true;
    this.#loaded = null;
    this.#schedule();
  }

  apply(changes: readonly Change[], at: LogPoint): void {
    if (this.#state === null) return;
    this.#at = at;
    this.#unwritten = true;
    for (const change of changes) {
      if (change.table === 'meta') continue;
      if ('put' in change) mark(this.#dirty, change.table, change.put.id, change.put);
      else mark(this.#dirty, change.table, change.drop, null);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#cancelTimer !== null || this.#closed || !this.#unwritten || this.#exportMs > BLOCK_MS) return;
    const pause = this.#failed ? RETRY_MS : Math.max(PERIOD_MS, this.#exportMs / DUTY);
    this.#cancelTimer = this.#clock.timer(pause, () => {
      this.#cancelTimer = null;
      void this.flush();
    });
  }

  flush(): Promise<void> {
    if (this.#flushing !== null) return this.#flushing.then(() => this.flush());
    if (!this.#unwritten || this.#at === null || this.#state === null) return Promise.resolve();
    this.#flushing = this.#write(this.#at, this.#state).finally(() => {
      this.#flushing = null;
      this.#schedule();
    });
    return this.#flushing;
  }

  async #write(at: LogPoint, state: State): Promise<void> {
    const dirty = this.#dirty;
    const meta = state.meta;
    this.#dirty = new Map();
    this.#unwritten = false;
    const breathe = slices(this.#clock);
    try {
      await this.#upsert(dirty, meta, at, breathe);
      await breathe();
    } catch (thrown) {
      // The database in memory is no longer reliable: the next flush builds a new one from the state.
      this.#db = null;
      this.#dirty = difference(emptyState(), state);
      this.#retryLater(thrown);
      return;
    }
    try {
      await this.#save(at);
      this.#failed = false;
    } catch (thrown) {
      this.#retryLater(thrown);
    }
  }

  #retryLater(thrown: unknown): void {
    this.#unwritten = true;
    // Retried until it succeeds: one log line is enough.
    if (!this.#failed) this.#problem(`it cannot be written: ${messageOf(thrown)}`);
    this.#failed = !this.#closed;
    if (this.#closed) this.#unwritten = false;
  }

  async #upsert(dirty: Dirty, meta: Meta, at: LogPoint, breathe: () => Promise<void>): Promise<void> {
    this.#db ??= await Database.open(null, this.#wasmFile);
    const db = this.#db;
    await breathe();
    db.begin();
    for (const [table, rows] of dirty) {
      for (const [id, row] of rows) {
        if (row === null) db.drop(table, id);
        else db.put(table, row);
        await breathe();
      }
    }
    db.setMeta('schema_version', String(SCHEMA_VERSION));
    db.setMeta('last_seq', String(at.seq));
    db.setMeta('epoch', String(at.epoch));
    db.setMeta('at', JSON.stringify(at));
    db.setMeta('facts', JSON.stringify(meta));
    db.commit();
  }

  async #save(at: LogPoint): Promise<void> {
    if (this.#db === null) return;
    const start = this.#clock.monotonic();
    const bytes = this.#db.bytes();
    this.#exportMs = this.#clock.monotonic() - start;
    await replaceFile(this.#ops, this.#path, bytes);
    const proof = `${this.#seal.mac(bytes)}\n${this.#seal.seal(JSON.stringify(at)).line}`;
    await replaceFile(this.#ops, `${this.#path}.mac`, Buffer.from(proof, 'latin1'));
  }

  async close(abandon = false): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#closed = true;
    if (abandon) this.#state = null;
    await this.flush();
    this.#db?.close();
    this.#db = null;
  }
}

/** Yields once a slice of time is used up. */
function slices(clock: Clock): () => Promise<void> {
  let end = clock.monotonic() + SLICE_MS;
  return async () => {
    if (clock.monotonic() < end) return;
    await clock.sleep(1);
    end = clock.monotonic() + SLICE_MS;
  };
}

function shallowCopy(state: State): State {
  const copy = emptyState();
  for (const table of TABLE_NAMES) {
    const rows = copy[table] as Map<string | number, unknown>;
    for (const [id, row] of state[table]) rows.set(id, row);
  }
  return copy;
}

function mark(dirty: Dirty, table: TableName, id: string | number, row: Tables[TableName] | null): void {
  const rows = dirty.get(table) ?? new Map<string | number, Tables[TableName] | null>();
  rows.set(id, row);
  dirty.set(table, rows);
}

/** Rows that differ. Rows are never changed, only replaced, so the same object is the same row. */
function difference(before: State, after: State): Dirty {
  const dirty: Dirty = new Map();
  for (const table of TABLE_NAMES) {
    const old = before[table] as ReadonlyMap<string | number, Tables[TableName]>;
    const now = after[table] as ReadonlyMap<string | number, Tables[TableName]>;
    for (const [id, row] of now) if (old.get(id) !== row) mark(dirty, table, id, row);
    for (const id of old.keys()) if (!now.has(id)) mark(dirty, table, id, null);
  }
  return dirty;
}
