/** Declares the dependencies and the result of an agent session. Independent of jobs, git and the store. */

import type { Unfit } from '../../core/model/unfitHistory.ts';
import type { HandoverReason } from '../../core/session/handover.ts';
import type { AskedBrief, JobSteer } from '../../shared/job/jobTool.ts';
import type { Plan, Report, Verdict } from '../../shared/job/plan.ts';
import type { AttemptLimits } from '../../shared/job/rows.ts';
import type { TodoItem } from '../../shared/job/todo.ts';
import type { Effort } from '../../shared/model/effort.ts';
import type { AgentRole, Unavailable } from '../../shared/session.ts';

/** Everything that determines the first request of a session, byte for byte, and what its answer is read by. */
export interface SessionSpec {
  readonly role: AgentRole;
  readonly model: string;
  readonly system: string;
  /** The first text of the first user message: the same for the sessions of a job, so that it is cached once. */
  readonly shared?: string;
  /** The text after `shared`: the same for the sessions of a role in one phase, so that it is cached once, too. */
  readonly phase?: string;
  /** The session's own part of the first user message. */
  readonly opening: string;
  /** The model's window is small: only the tools that the work needs are offered. */
  readonly isSmall?: true;
  /** `max_tokens` of each call. */
  readonly maxTokens: number;
  /** Defaults to the model's setting. */
  readonly temperature?: number;
  /** Defaults to the model's setting. */
  readonly effort?: Effort;
  /** The refused plan in a planner's opening: corrections apply to this plan. */
  readonly refusedPlan?: Plan;
}

export interface SessionPorts {
  readonly sessionId: number;
  /** For a session within a session: the call that it answers. */
  readonly within?: string;
  /** The gateway's door: a fetch that adds the key and the money rules in the owner. Throws or wraps `AutonomousError`. */
  readonly fetch: typeof fetch;
  /** Directory that the file tools see; the reviewer and planner read it only. */
  readonly workdir: string;
  /** The files of that directory. */
  readonly files: TreeFiles;
  readonly transcript: Transcript;
  readonly commands: SessionCommands;
  /** If absent, `read` opens only files of the tree. */
  readonly scratchFile?: (path: string) => ScratchFile | null;
  readonly sessionTools: SessionTools;
  /** The tools of a project's conversation, the main agent's and their subagents. Sessions of jobs have none. */
  readonly project?: ProjectTools;
  readonly limits: AttemptLimits;
  readonly clock: import('../../shared/clock.ts').Clock;
  /** Called when a turn is complete (reply and its tool results are in the transcript). Gives the tree's checkpoint. */
  checkpoint(): Promise<string | null>;
  /** Puts the tree back to a checkpoint, before the tools of an interrupted turn run again. */
  restore(checkpoint: string | null): Promise<void>;
  /** Messages that arrived during the round; null if there are none. They join the current turn. */
  meanwhile?(): Promise<Turn | null>;
  /** News of the last checkpoint that the agent must know; null if there is none. A text is given once. */
  notice?(): string | null;
  /**
   * The texts of a conversation that continues the current assignment, with the work so far. If absent, it opens with the texts that
   * the session was given for it.
   */
  freshOpening?(): Promise<Pick<SessionSpec, 'shared' | 'phase' | 'opening'>>;
  /** Shows the current activity to people. */
  live(text: string): void;
  readonly signal: AbortSignal;
}

/**
 * The files of one tree, for a caller in a sandbox while this process is outside: nothing beyond the tree is read, created or
 * changed, through any link, `..` or swapped folder. Throws NOT_FOUND and NOT_PERMITTED, with text for a model.
 */
export interface TreeFiles {
  read(path: string, bounds: ReadBounds): Promise<string>;
  /** All bytes of a file; null if it has more than `maxBytes`. */
  bytes(path: string, bounds: Omit<ReadBounds, 'lines'>): Promise<Uint8Array | null>;
  /**
   * Writes the whole file or nothing, and creates folders. Never writes git's or the engine's files. Returns the path from the
   * top of the tree, without links.
   */
  write(path: string, content: string): Promise<string>;
  /** Describes the target of a path, through links too. */
  look(path: string): Promise<Look>;
  /**
   * The target of a path, through links too, in the first of the folders that contains it, relative to that folder. Null if no
   * folder contains it.
   */
  wayInto(path: string, folders: readonly string[]): Promise<string | null>;
  /** Searches a file, or all files below a folder, line by line. Lines are in the order of their paths. */
  search(path: string, query: SearchQuery): Promise<Found>;
  /** Lists what is below a folder, in the order of the paths. */
  list(path: string, query: ListQuery): Promise<Listed>;
}

export interface SearchQuery {
  /** A regular expression of ripgrep. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Lines of context. */
  readonly before: number;
  readonly after: number;
  /** A file type of ripgrep, e.g. `ts`; null for all. */
  readonly type: string | null;
  /** Only the names of files with a match. */
  readonly filesOnly: boolean;
  /** Whether results of this file, relative to the tree, are given. */
  readonly wanted: (path: string) => boolean;
  /** Matches, or files, that are given. */
  readonly max: number;
  readonly signal: AbortSignal;
}

export interface FoundLine {
  /** Relative to the tree, with `/`. */
  readonly path: string;
  /** From 1; 0 if only files are given. */
  readonly number: number;
  readonly text: string;
  /** False for a line of context. */
  readonly isMatch: boolean;
}

export interface Found {
  readonly lines: readonly FoundLine[];
  /** Matches beyond `max` by file, in the order of the paths; or the files beyond `max`, with 1 each. */
  readonly more: ReadonlyMap<string, number>;
  /** Whether the search was stopped before its end, so that there are more than `more`. */
  readonly isCut: boolean;
}

export interface ListQuery {
  /** Names that are left out, with what is below them. */
  readonly hidden: (name: string) => boolean;
  readonly wanted: (path: string, kind: Listed['entries'][number]['kind']) => boolean;
  readonly max: number;
  readonly signal: AbortSignal;
}

export interface Listed {
  readonly entries: readonly {
    readonly path: string;
    readonly kind: 'file' | 'folder' | 'link';
    /** The target of a link, as it is stored. */
    readonly target: string | null;
  }[];
  readonly more: number;
  readonly isCut: boolean;
}

/** `other`: a pipe, a device or a socket, which is not read. */
export interface Look {
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
}

export type OpenTree = (tree: string) => TreeFiles;

export interface ReadBounds {
  readonly maxBytes: number;
  /** First and last line, from 1. Null for the whole file. */
  readonly lines: readonly [number, number] | null;
  /** Names on the way that are refused. */
  readonly hidden: (name: string) => boolean;
}

/** A file that commands of the session made outside of its tree. */
export interface ScratchFile {
  readonly files: TreeFiles;
  /** Path to pass to `files`. */
  readonly path: string;
}

/** Commands of the session that stay in the background. */
export interface BackgroundCommands {
  /** Returns the number of the command, or in `refused` why it was not started. `sharesNetwork`: later commands reach its ports. */
  start(
    command: string,
  ): Promise<{ readonly id: number; readonly sharesNetwork: boolean } | { readonly refused: string }>;
  /** Returns the output, at the latest after `waitMs`. Null if no command has this number. `stop` ends the command first. */
  look(
    id: number,
    options: { readonly waitMs: number; readonly stop: boolean; readonly signal: AbortSignal },
  ): Promise<BackgroundLook | null>;
}

/** File with the output of a command as it came, that `read` opens. `isWhole`: false if it holds only the beginning. */
export interface KeptOutput {
  readonly path: string;
  /** Bytes of the whole output. */
  readonly bytes: number;
  readonly isWhole: boolean;
}

export interface BackgroundLook {
  /** Since the last look. */
  readonly output: string;
  readonly kept?: KeptOutput | undefined;
  /** Since it was started. */
  readonly seconds: number;
  /** Null while it runs. `why` is the cause if the command was terminated. */
  readonly end: {
    readonly exitCode: number | null;
    readonly ended: string | null;
    readonly notes: readonly string[];
    readonly why: string | null;
  } | null;
}

/** Runs one shell command for the agent under the command policy; a refusal is text for the model, not a throw. */
export interface SessionCommands {
  /** If absent, no command stays in the background. */
  readonly background?: BackgroundCommands;
  run(
    command: string,
    /** `keepOver`: output of more bytes is kept in a file, too. */
    options: { readonly timeoutMs: number; readonly keepOver?: number; readonly signal: AbortSignal },
  ): Promise<{
    readonly exitCode: number | null;
    readonly ended: string | null;
    readonly output: string;
    /** Notices that the output does not contain, one sentence each. */
    readonly notes?: readonly string[];
    readonly kept?: KeptOutput | undefined;
  }>;
}

/** The notes tools, scoped to the session by the owner. Every answer is text for the model. */
export interface SessionTools {
  addNote(note: {
    readonly scope: 'feature' | 'category' | 'global';
    readonly content: string;
    readonly file?: string | undefined;
    readonly line?: number | undefined;
    /** The noted line's text, to find it again when the code moves. Null if unknown. */
    readonly anchor?: string | null;
  }): Promise<ToolResult>;
  notes(): Promise<string>;
  /** Asks the explorer. Absent if the session has none. */
  explore?: Explorer;
  /** Replaces the worker's to-do list. Absent if the session has none. */
  setTodo?(items: readonly TodoItem[]): Promise<ToolResult>;
}

/** Answers a question about the repository: text for the model. Throws ABORTED if the session is stopped. */
export type Explorer = (asked: {
  readonly question: string;
  /** The same when an interrupted round is repeated. */
  readonly callId: string;
  /** Milliseconds that the attempt has left. */
  readonly msLeft: number;
}) => Promise<ToolResult>;

/** The subject of a notice. */
export interface Notice {
  readonly concerns: string | null;
  /** The project that it concerns need not act: no turn starts for it. */
  readonly information: boolean;
}

/** Every answer is text for the model. A call that an interrupted round repeats is not carried out twice. */
export interface ProjectTools {
  readonly memory: MemoryStore;
  /** Sends a notice to the person and the main agent. `concerns` names another project that should receive it. */
  notify(text: string, about: Notice): Promise<ToolResult>;
  /** A skill's text, or a file of its folder. */
  useSkill(name: string, file: string | null): Promise<ToolResult>;
  /** The last text of a separate session. `callId` is the call's, so that the same call gets the same session. */
  spawnSubagent(task: string, callId: string): Promise<ToolResult>;
  submitBrief(asked: AskedBrief): Promise<ToolResult>;
  /** Messages of the conversation that hold all words of `query`. */
  recall(query: string): Promise<ToolResult>;
  /** Null for all jobs of the project. */
  jobStatus(jobId: string | null): Promise<ToolResult>;
  steerJob(jobId: string, action: JobSteer, reason: string): Promise<ToolResult>;
  /** A call of `long_running_task`. */
  taskTool(input: unknown): Promise<ToolResult>;
  /** A tool of the main agent, carried out in the owner. */
  mainTool(name: string, input: unknown): Promise<ToolResult>;
}

export interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
}

/** The commands of the memory tool, on files below `/memories` that are confined to one folder. Each throws a text for the model. */
export interface MemoryStore {
  view(command: { readonly path: string; readonly view_range?: readonly number[] | undefined }): Promise<string>;
  create(command: { readonly path: string; readonly file_text: string }): Promise<string>;
  str_replace(command: { readonly path: string; readonly old_str: string; readonly new_str: string }): Promise<string>;
  insert(command: {
    readonly path: string;
    readonly insert_line: number;
    readonly insert_text: string;
  }): Promise<string>;
  delete(command: { readonly path: string }): Promise<string>;
  rename(command: { readonly old_path: string; readonly new_path: string }): Promise<string>;
}

/** The start of a turn of a project's conversation. */
export interface Turn {
  readonly text: string;
  /** Text before the turn that belongs to no turn, for example the content of the memory. */
  readonly before?: string;
  /** Ids of the messages that it holds. */
  readonly messages?: readonly number[];
}

/** One line of a session's journal, durable before it takes effect. */
export type TranscriptEntry =
  | ({ readonly kind: 'opening'; readonly spec: SessionSpec; readonly checkpoint: string | null } & Omit<Turn, 'text'>)
  /**
   * Another user message in the same conversation: the next feature of a batch, a re-ask, or the next messages. `handover`: it asks
   * for the summary that a fresh conversation begins with. `checkpoint`: the tree of an assignment; absent in older journals.
   */
  | ({ readonly kind: 'user'; readonly handover?: HandoverReason; readonly checkpoint?: string | null } & Turn)
  /** The project's definition or skills changed: instructions that hold in place of the earlier ones. */
  | { readonly kind: 'instructions'; readonly system: string }
  /** The new spec of a conversation whose model changed. Its history loses all thinking, which is bound to the model. */
  | { readonly kind: 'spec'; readonly spec: SessionSpec }
  /** The external agent of the conversation. `conversation` is its id for resuming. */
  | {
      readonly kind: 'agent';
      readonly executor: string;
      readonly version: string | null;
      readonly conversation: string | null;
    }
  /** The last assignment ended without an answer: none of its work is open any more. */
  | { readonly kind: 'ended'; readonly reason: EndReason; readonly detail: string }
  /** A whole reply of the model: an Anthropic message object. */
  | { readonly kind: 'reply'; readonly message: unknown }
  /** The user message with the results of the reply's tool calls, and the tree after them. */
  | {
      readonly kind: 'results';
      readonly message: unknown;
      readonly checkpoint: string | null;
      /** Ids of messages that came meanwhile and follow the results. */
      readonly messages?: readonly number[];
    }
  /** An entry of the explorer that this call asks. It is not part of the conversation. */
  | { readonly kind: 'explored'; readonly callId: string; readonly entry: TranscriptEntry }
  /**
   * A new conversation begins with these messages, in place of the earlier history. `upTo`: the highest message id in it; `atRest`:
   * whether no work was open; `turn`: ids of the messages of the current turn; `handover`: the session handed over to it; `refused`:
   * the provider took the earlier history no longer; `window`: the most tokens of a prompt, as the provider's refusal stated.
   */
  | {
      readonly kind: 'compacted';
      readonly messages: readonly unknown[];
      readonly upTo?: number;
      readonly atRest?: true;
      readonly turn?: readonly number[];
      readonly handover?: Handover;
      /** The texts that the session was given since its assignment, which is first. */
      readonly given?: readonly string[];
      readonly refused?: Unfit;
      readonly window?: number;
    };

export interface Handover {
  readonly reason: HandoverReason;
  /** False if the model wrote no summary, so that the fresh conversation has only the engine's facts. */
  readonly isSummarized: boolean;
  /** The fresh conversation's. */
  readonly spec: SessionSpec;
}

export interface Transcript {
  /** Journaled entries, without damaged lines. Empty for a new session. */
  readonly entries: readonly TranscriptEntry[];
  /** Durable when it resolves. */
  append(entry: TranscriptEntry): Promise<void>;
}

/** Reason why a session ended without a valid answer. People see these words. */
export type EndReason =
  | 'no_report'
  | 'invalid_answer'
  | 'loop'
  | 'turns'
  | 'tokens'
  | 'time'
  | 'truncated'
  | 'refusal'
  | 'context_full'
  | 'unknown_stop'
  /** A person ended a turn of a conversation. */
  | 'stopped'
  /** An external agent sent more than anyone could read. */
  | 'flood';

export type SessionAnswer =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: 'text'; readonly text: string };

export type SessionResult =
  | { readonly outcome: 'answered'; readonly turns: number; readonly answer: SessionAnswer }
  | { readonly outcome: 'ended'; readonly turns: number; readonly reason: EndReason; readonly detail: string }
  | (Unavailable & { readonly turns: number })
  | { readonly outcome: 'aborted'; readonly turns: number };
