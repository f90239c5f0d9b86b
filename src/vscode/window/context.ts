/** The context of every part of the extension, and its only access to the engine. Nothing runs before it is needed. */
import type * as vscode from 'vscode';
import type { Engine, RequestAnswer, RequestInput, RequestName } from '../../engine/state/api.ts';
import type { LookedAgents, OpenedEngine } from '../../engine/workspace/workspace.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { Blocker } from './folder.ts';
import type { JobFiles } from './permittedFiles.ts';

export interface EngineHandle {
  /** The connection, after `open` has succeeded. */
  readonly current: OpenedEngine | null;
  /** The work that the owner runs now, in this process or another. Until another process answers, derived from the statuses. */
  readonly atWork: AtWork;
  readonly blocker: Blocker | null;
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
  /** Opens the engine if needed, sends the request, and returns the answer. */
  request<N extends RequestName>(name: N, input: RequestInput<N>): Promise<RequestAnswer<N>>;
  /** Fires after a commit or a change of connection: rebuild the views. Events of one tick are merged. */
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

export interface KnownAgents {
  /** Result of the last check; null before the first. */
  readonly seen: LookedAgents | null;
  /** Checks the agents on the first call, which starts the installed programs, and fires `onDidChange`. `refresh` ignores the cached result. */
  look(refresh?: boolean): Promise<LookedAgents>;
  readonly onDidChange: vscode.Event<void>;
}
