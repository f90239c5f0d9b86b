/** Everything that the terminal has of the outside world. Implemented in the composition root; a test gives its own. */
import type { CleanUp } from '../core/cloneCleanUp.ts';
import type { Engine, WishInput } from '../engine/api.ts';
import type { SandboxState } from '../engine/commandPorts.ts';
import type {
  ApiServing,
  Demo,
  FoundProject,
  ListedAgents,
  OpenedEngine,
  Rehearsal,
  RestoredState,
  ServedApi,
  TaskTemplates,
  TaskText,
} from '../engine/workspace.ts';
import type { AtWork } from '../shared/atWork.ts';
import type { Clock } from '../shared/clock.ts';
import type { Finding } from '../shared/finding.ts';
import type { KeptList, RestoreAs, Restored } from '../shared/keptWork.ts';
import type { ProjectTalk } from '../shared/projectTalk.ts';
import type { ExportedRecord } from '../shared/record.ts';
import type { State } from '../shared/state.ts';

export interface TerminalIo {
  out(text: string): void;
  err(text: string): void;
  /** Whether `out` is a terminal that understands cursor movement (not so with TERM=dumb). */
  readonly isTTY: boolean;
  readonly stdinIsTTY: boolean;
  /** Size of the terminal now: read at each drawing. */
  readonly columns: number;
  readonly rows: number;
  /** False when NO_COLOR is set or `out` is no terminal. */
  readonly color: boolean;
  /**
   * One line without its end; null when the input ended. Rejects with the signal's reason when it aborts. Ctrl-C at the
   * question is a stop signal like any other (`signals`), not an end of the input.
   */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
  /**
   * Lines of a person, while others write above the one that is being typed. Ctrl-C calls `interrupted`, and is a stop signal, as for
   * `ask`, if that returns false.
   */
  talk(prompt: string, interrupted: () => boolean): Talk;
  readStdin(): Promise<string>;
  readFile(path: string): Promise<string>;
  writeFile(path: string, text: string): Promise<void>;
  /** Lets the user edit a text in his editor; null when there is no editor or no terminal. `name` ends in the file's extension. */
  edit(text: string, name: string): Promise<string | null>;
}

export interface Talk {
  /** The next line without its end; null when the input ended, or it was closed. */
  next(): Promise<string | null>;
  /** Visible text, maybe of several lines and coloured. */
  say(text: string): void;
  close(): void;
}

/** What is on disk, read without owning it. */
export interface ReadState {
  readonly state: State;
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
  readonly ownerAlive: boolean;
  readonly atWork: AtWork;
}

/**
 * What a process carries out if it becomes the owner. `nothing`: it only changes the state. `asked`: what it is asked for, while it
 * waits for the answer. `all`: also the jobs that were running when the last owner ended.
 */
export type OwnerWork = 'nothing' | 'asked' | 'all';

export interface OpenOptions {
  /** Absolute; null: the default. */
  readonly jobsDir: string | null;
  /** A client of a living owner carries out nothing. */
  readonly work: OwnerWork;
  /** Hosts that steps of tasks may fetch from if this process becomes the owner; absent: none. */
  readonly allowedHosts?: readonly string[];
}

export interface McpServing {
  /** The engine as it is reachable now. */
  reach(): Promise<Engine>;
  /** What the client is not told. */
  failed(thrown: unknown): void;
}

export interface AcpServing {
  readonly talk: ProjectTalk;
  /** What the editor is not told. */
  failed(thrown: unknown): void;
}

export interface TerminalDeps {
  readonly io: TerminalIo;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly version: string;
  /** SIGINT and SIGTERM, counted from 1; gives back how to stop listening. */
  readonly signals: { onStop(run: (times: number) => void): () => void };
  /** Every `projectDir` is absolute and may lie below the top of its repository. */
  readState(projectDir: string): Promise<ReadState>;
  /** Throws NOT_READY before anything is written for a first brief. If there is a state, its owner checks. */
  checkFirstBrief(projectDir: string, input: WishInput<'submitBrief'>): Promise<void>;
  /** Throws OWNER_BUSY, OWNER_UNREACHABLE, STATE_FOREIGN, NOT_A_REPOSITORY, … */
  openEngine(projectDir: string, options: OpenOptions): Promise<OpenedEngine>;
  /** `looks`: starts what is installed, to see how it stands; `name`: only this one. */
  agents(projectDir: string, options: { readonly looks: boolean; readonly name?: string }): Promise<ListedAgents>;
  /** Takes over what the database holds beyond a log that lost its end; null: the log did not. */
  restoreState(projectDir: string): Promise<RestoredState | null>;
  diagnose(projectDir: string): Promise<readonly Finding[]>;
  /** `body` is the exact JSON text of the next request; a null job is the next one with something to send. */
  preview(projectDir: string, jobId: string | null): Promise<{ readonly describes: string; readonly body: string }>;
  dryRun(projectDir: string, input: WishInput<'submitBrief'>, signal: AbortSignal): Promise<Rehearsal>;
  /** Unified diff of the job's result against its baseline. */
  jobDiff(projectDir: string, jobId: string): Promise<string>;
  /** A session's conversation as Markdown. NOT_FOUND. */
  transcript(projectDir: string, sessionId: number): Promise<string>;
  /** Everything, or one job, into a folder or an archive that is not there yet. */
  exportRecord(projectDir: string, target: string, jobId: string | null): Promise<ExportedRecord>;
  /** Which clones would go; `maxBytes` null: by the default ceiling. */
  previewCleanUp(projectDir: string, jobsDir: string | null, maxBytes: number | null): Promise<CleanUp>;
  /** Attempts whose work is kept in the state. */
  keptAttempts(projectDir: string): Promise<KeptList>;
  /** Makes an attempt's work again. NOT_FOUND, STATE_DAMAGED, NOT_PERMITTED where the branch or the file is there. */
  restoreAttempt(projectDir: string, attempt: number, as: RestoreAs): Promise<Restored>;
  /** A kept diff or command's output; null: there is none of that name. */
  artifact(projectDir: string, name: string): Promise<string | null>;
  /** Folders of projects that were not made here, each with why it cannot be adopted. */
  foundProjects(projectDir: string, state: State): Promise<readonly FoundProject[]>;
  /** Names of the templates for new projects. */
  templates(projectDir: string): Promise<readonly string[]>;
  /** The files of a project's memory (`path` null), or what one of them says. NOT_FOUND, INVALID_INPUT. */
  projectMemory(projectDir: string, project: string, path: string | null): Promise<string>;
  taskText(): Promise<TaskText>;
  taskTemplates(projectDir: string): Promise<TaskTemplates>;
  /** The main agent's tools as an MCP server on this process's streams; resolves when the client has gone or `signal` aborts. */
  serveMcp(serving: McpServing, signal: AbortSignal): Promise<void>;
  /** A project as an ACP agent on this process's streams; resolves when the editor has gone or `signal` aborts. */
  serveAcp(serving: AcpServing, signal: AbortSignal): Promise<void>;
  /** The HTTP API. INVALID_INPUT where the port is in use. */
  serveApi(projectDir: string, serving: ApiServing): Promise<ServedApi>;
  /** The token of its clients, made where there is none, and the file that it lies in. */
  apiToken(projectDir: string): Promise<{ readonly token: string; readonly file: string }>;
  makeDemo(): Promise<Demo>;
  sandbox(): Promise<SandboxState>;
}
