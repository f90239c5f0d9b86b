/** Declares the store's dependencies: files, the log, the database derived from it, artifacts, and state of an older tool. */
import type { Event, EventDraft } from '../../shared/workspace/events.ts';
import type { Change, State, TableName } from '../../shared/workspace/state.ts';

/**
 * The file operations that durability rests on: one object, so that a test can fail the nth of them.
 * What they throw is Node's own error, with its `code`.
 */
export interface FileOps {
  /** Makes what is missing of the path, for this user only. */
  makeDir(path: string): Promise<void>;
  /** Does not follow a link. Returns null if the path does not exist. */
  stat(path: string): Promise<FileStat | null>;
  /** Names in a folder; empty when there is no such folder. */
  list(path: string): Promise<readonly string[]>;
  /** Returns the whole content, or its first `length` bytes. Null if the file does not exist. */
  read(path: string, length?: number): Promise<Uint8Array | null>;
  /** Returns the last `length` bytes, or the whole file if it is shorter. Null if the file does not exist. */
  readEnd(path: string, length: number): Promise<Uint8Array | null>;
  /** Creates a file (0600), written and fsynced. Returns false if the name is taken. Then, and if it throws, no file is new. */
  create(path: string, data: Uint8Array): Promise<boolean>;
  /** Creates a file (0600) to append to. Returns null if the name is taken. */
  openNew(path: string): Promise<AppendFile | null>;
  /** Opens a file to append to, and creates it (0600) if it does not exist. Throws on a link. */
  openAppend(path: string): Promise<AppendFile>;
  rename(from: string, to: string): Promise<void>;
  /** Adds a second name for a file. Returns false if the name is taken. */
  link(from: string, to: string): Promise<boolean>;
  /** No effect if the file does not exist. */
  remove(path: string): Promise<void>;
  /** Removes the folder with its content; a link in it is removed, not followed. */
  removeFolder(path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Makes names in a folder durable, where the platform can. */
  syncDir(path: string): Promise<void>;
}

export interface FileStat {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
}

export interface AppendFile {
  /** Returns the number of written bytes, which may be less than given. */
  write(data: Uint8Array): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Proves that this installation wrote a line of JSON, and that the line is unaltered. */
export interface LineSeal {
  /** The object's JSON text with `mac` as its last key. */
  seal(body: string): { readonly line: string; readonly mac: string };
  /** Returns the line's mac if this installation wrote it and it is unaltered, else null. */
  check(line: Uint8Array): string | null;
  /** The same for other bytes: 32 hexadecimal digits. */
  mac(data: Uint8Array): string;
}

/** A part that could not be read and was omitted. `line` is 1-based; null for the whole file. */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly what: string;
}

/** A line of the log. */
export interface LogPoint {
  readonly epoch: number;
  readonly seq: number;
  readonly mac: string;
}

/** The origin of a log: `foreign` was written by another installation, `newer` by a newer version. Both are read-only. */
export type LogOrigin = 'empty' | 'own' | 'foreign' | 'newer';

export interface LogContent {
  readonly origin: LogOrigin;
  /** Valid events after the given point, in order. */
  readonly events: readonly Event[];
  /** The last valid line. Null if there is none. */
  readonly end: LogPoint | null;
  /** False when the given point is not part of what counts: read again from the start. */
  readonly continues: boolean;
  readonly problems: readonly Problem[];
}

export interface EventLog {
  /** Bytes of all segments. */
  size(): Promise<number>;
  read(after: LogPoint | null): Promise<LogContent>;
  /** Number of the last event that the last owner committed, according to its claim. 0 if unknown. */
  lastClaimed(): Promise<number>;
  /** Makes this process the owner of a new epoch, its number. Read the log after it, then append. */
  claim(): Promise<number>;
  /**
   * Resolves when the events are durable and this process is still the owner. `after` is the last valid line. After DISK, none of
   * the events counts, and the next append uses a new segment. OWNER_LOST is final: a higher epoch exists.
   */
  append(events: readonly Event[], after: LogPoint | null): Promise<LogPoint>;
  close(): Promise<void>;
}

/** The tables in a database file: derived from the events, rebuilt from them whenever it cannot be trusted. */
export interface Projection {
  /** The state as it was last written; null when there is none that is whole, ours and of this schema. */
  load(): Promise<ProjectedState | null>;
  /** Number of the last event in the file, read without opening the database. 0 if this installation has no database. */
  lastWritten(): Promise<number>;
  /** Keeps a copy of the file beside it, and returns the name of the copy; null if there is no file. DISK. */
  keep(): Promise<string | null>;
  /** Starts to mirror `state`, then every call of `apply`, in the file. */
  follow(state: State, at: LogPoint | null): void;
  apply(changes: readonly Change[], at: LogPoint): void;
  /** Writes now what is not written yet. Never throws: what fails becomes a problem and is tried again. */
  flush(): Promise<void>;
  /** Writes what is not written yet, unless it is to `abandon` it: the file is another owner's now. */
  close(abandon?: boolean): Promise<void>;
  readonly problems: readonly Problem[];
}

export type ImportedDraft = Extract<EventDraft, { readonly type: 'imported' }>;
/** The highest id ever given in a table; 0 if none was. */
export type LastId = (table: 'features' | 'notes' | 'sessions') => number;

/** State that a tool with seed 003's format left in the state folder. Reading writes nothing. */
export interface OldState {
  /** `features.db`, unless this installation wrote it. Null if there is none. */
  database(lastId: LastId, at: string): Promise<OldFile | null>;
  /** `progress.txt`; null if there is none. */
  progress(lastId: LastId, at: string): Promise<OldFile | null>;
}

export interface OldFile {
  /** Null if no part of the file is imported; `problem` has the reason. */
  readonly draft: ImportedDraft | null;
  /** A notice for the user after the file was handled. Null if the whole file was imported unchanged. */
  readonly problem: Problem | null;
  /** Stores a copy beside the file, as `draft.source`. Throws `DISK` if it cannot be stored. */
  keep(): Promise<void>;
  /** Removes the file unless one of this installation replaces it. Call once its rows are committed. */
  finish(): Promise<void>;
}

export interface ProjectedState {
  readonly state: State;
  readonly at: LogPoint;
  /** Highest id ever given in each table. */
  readonly sequences: ReadonlyMap<TableName, number>;
}

/** Long texts beside the rows, which name them. */
export interface Artifacts {
  /** Stores text under the hash of its content and gives the file's name. */
  put(text: string): Promise<string>;
  get(name: string): Promise<string | null>;
}
