/** What the store needs from outside: files, the log, the database that is derived from it, artifacts, and state of an older tool. */
import type { Event, EventDraft } from '../../shared/workspace/events.ts';
import type { Change, State, TableName } from '../../shared/workspace/state.ts';

/**
 * The file operations that durability rests on: one object, so that a test can fail the nth of them.
 * What they throw is Node's own error, with its `code`.
 */
export interface FileOps {
  /** Makes what is missing of the path, for this user only. */
  makeDir(path: string): Promise<void>;
  /** Of the link itself, never of what it points to; null: nothing is there. */
  stat(path: string): Promise<FileStat | null>;
  /** Names in a folder; empty when there is no such folder. */
  list(path: string): Promise<readonly string[]>;
  /** Whole content, or its first `length` bytes; null: no such file. */
  read(path: string, length?: number): Promise<Uint8Array | null>;
  /** Its last `length` bytes, all of them where it has no more; null: no such file. */
  readEnd(path: string, length: number): Promise<Uint8Array | null>;
  /** A new file (0600), written and fsynced; false: the name is taken and nothing happened. */
  create(path: string, data: Uint8Array): Promise<boolean>;
  /** A new file (0600) to append to; null: the name is taken. */
  openNew(path: string): Promise<AppendFile | null>;
  /** The file's end, to append to; a file that is not there is made (0600). A link is refused. */
  openAppend(path: string): Promise<AppendFile>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; false: the name is taken. */
  link(from: string, to: string): Promise<boolean>;
  /** Nothing to remove is fine. */
  remove(path: string): Promise<void>;
  /** With all that is in it; a link in it is removed, not followed. */
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
  /** May write less than it was given: the count is what was written. */
  write(data: Uint8Array): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Proves that this installation wrote a line of JSON, and that nobody changed it since. */
export interface LineSeal {
  /** The object's JSON text with `mac` as its last key. */
  seal(body: string): { readonly line: string; readonly mac: string };
  /** The line's mac when it is ours and unaltered, else null. */
  check(line: Uint8Array): string | null;
  /** The same for other bytes: 32 hexadecimal digits. */
  mac(data: Uint8Array): string;
}

/** Something that could not be read, and was left out. `line` is 1-based; null: the whole file. */
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

/** Whose a log is: `foreign` was written by another installation, `newer` by a newer version; both are only shown. */
export type LogOrigin = 'empty' | 'own' | 'foreign' | 'newer';

export interface LogContent {
  readonly origin: LogOrigin;
  /** What counts after the given point, in order. */
  readonly events: readonly Event[];
  /** The last line that counts; null: none. */
  readonly end: LogPoint | null;
  /** False when the given point is not part of what counts: read again from the start. */
  readonly continues: boolean;
  readonly problems: readonly Problem[];
}

export interface EventLog {
  /** Bytes of all segments. */
  size(): Promise<number>;
  read(after: LogPoint | null): Promise<LogContent>;
  /** Number of the last event that the last owner committed, as its claim says; 0 if it says nothing. */
  lastClaimed(): Promise<number>;
  /** Makes this process the owner of a new epoch, its number. Read the log after it, then append. */
  claim(): Promise<number>;
  /**
   * Durable, and still the owner, when it resolves; `after` is the last line that counts. DISK: nothing of it counts, and
   * the next append goes to a new segment. OWNER_LOST: a higher epoch exists, for good.
   */
  append(events: readonly Event[], after: LogPoint | null): Promise<LogPoint>;
  close(): Promise<void>;
}

/** The tables in a database file: derived from the events, rebuilt from them whenever it cannot be trusted. */
export interface Projection {
  /** The state as it was last written; null when there is none that is whole, ours and of this schema. */
  load(): Promise<ProjectedState | null>;
  /** Number of the last event that is in the file, read without opening the database; 0 if there is none of ours. */
  lastWritten(): Promise<number>;
  /** Keeps a copy of the file beside it, and returns the name of the copy; null if there is no file. DISK. */
  keep(): Promise<string | null>;
  /** From here on the file follows: `state` now, and what `apply` is told. */
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

/** What a tool of seed 003's form left in the state folder. Reading writes nothing. */
export interface OldState {
  /** `features.db`, unless it is ours; null if there is none. */
  database(lastId: LastId, at: string): Promise<OldFile | null>;
  /** `progress.txt`; null if there is none. */
  progress(lastId: LastId, at: string): Promise<OldFile | null>;
}

export interface OldFile {
  /** null if nothing of the file is imported; `problem` says why. */
  readonly draft: ImportedDraft | null;
  /** What the user should know once the file was handled; null if all of it was imported as it is. */
  readonly problem: Problem | null;
  /** Stores a copy beside the file, as `draft.source`. Throws `DISK` if it cannot be stored. */
  keep(): Promise<void>;
  /** Removes the file if no file of ours takes its place. Call once its rows are committed. */
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
