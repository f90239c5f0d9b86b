/** What every part of the extension is given. The engine is reached through it alone; nothing here runs before it is needed. */
import type * as vscode from 'vscode';
import type { Engine, WishAnswer, WishInput, WishName } from '../engine/api.ts';
import type { AtWork } from '../shared/atWork.ts';
import type { LiveLine } from '../shared/live.ts';
import type { State } from '../shared/state.ts';
import type { KnownAgents } from './agents/knownAgents.ts';

/** A text of the job's repository at a commit, for the editor's diffs. */
export interface JobFiles {
  /** Paths that differ between two commits of a job. */
  changedPaths(jobId: string, from: string, to: string): Promise<readonly string[]>;
  /** null: not there, or too large to show. */
  textAt(jobId: string, commit: string, path: string): Promise<string | null>;
  artifact(name: string): Promise<string | null>;
  /** A session's transcript as readable Markdown. */
  transcript(sessionId: number): Promise<string>;
  /** A project's PROJECT.md as what was decided has it, whatever lies on the disk. */
  definition(project: string): Promise<string>;
  preview(jobId: string | null): Promise<{ readonly describes: string; readonly body: string }>;
}

/** A state that is not resumed: written by another installation or a newer version, unreadable, or with a log that lost its end. */
const STATE_HINDRANCES = ['foreign', 'newer', 'unreadable', 'incomplete'] as const;
/** Why this window has no engine: a property of its folder, or of the state in the folder. */
export const HINDRANCES = ['untrusted', 'no_folder', 'virtual', 'not_chosen', ...STATE_HINDRANCES] as const;

export type StateHindrance = (typeof STATE_HINDRANCES)[number];
export type Hindrance = (typeof HINDRANCES)[number];

export type Opened = Engine &
  ({ readonly owner: true; atWork(): AtWork } | { readonly owner: false; atWork(): Promise<AtWork> });

export interface EngineHandle {
  /** The connection, once `open` was called and succeeded. */
  readonly current: Opened | null;
  /** What the owner works on now, in this process or another. The statuses count until another process answers. */
  readonly atWork: AtWork;
  readonly hindrance: Hindrance | null;
  /** The workspace's top folder; null while there is none. */
  readonly projectDir: string | null;
  /** The name of the folder that this window works in. Null if the window has one folder, or none is chosen. */
  readonly folder: string | null;
  /** The state as last read: of the connection, or read-only from the disk; empty when there is none. */
  readonly state: State;
  /** Reads the state from the disk without owning it, so that views have something to show. Never throws; problems are logged. */
  look(): Promise<void>;
  /** Becomes the owner, or a client of the living one. Rejects with an `AutonomousError`. */
  open(): Promise<Engine>;
  /** Opens, wishes, and gives the answer. */
  wish<N extends WishName>(name: N, input: WishInput<N>): Promise<WishAnswer<N>>;
  /** Something committed, or another connection: views should be made anew. Many in a tick are one. */
  readonly onDidChange: vscode.Event<void>;
  readonly onDidLive: vscode.Event<LiveLine>;
  /** For people: failures, lost owners, problems of the state. */
  readonly onDidTrouble: vscode.Event<string>;
  readonly files: JobFiles;
  close(): Promise<void>;
}

export interface HostContext {
  readonly extension: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly engine: EngineHandle;
  readonly agents: KnownAgents;
  /** `YYYY-MM-DD` of the local calendar. */
  today(): string;
}
