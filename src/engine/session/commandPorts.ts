/** What runs commands: the agent's, verify and setup commands, and other agents. Implemented in `adapters/shell`. */

export type SandboxState =
  | { readonly mode: 'sandboxed'; readonly detail: string }
  /** `missing` names what to install or change, one sentence each. */
  | { readonly mode: 'unconfined'; readonly detail: string; readonly missing: readonly string[] };

/** What the commands of one session share. */
export interface CommandSession {
  /** Folder that each of them has as `$TMPDIR`. */
  readonly tmp: string;
  /** Folder of whole outputs. They can read it, and not write it. */
  readonly output: string;
  /** What runs them. */
  readonly shell: 'bash' | 'sh';
  /** Whether they share one network since the first of them was started in the background. */
  sharesNetwork(): boolean;
  /** Removes it. No command of the session may run. */
  close(): Promise<void>;
}

export interface CommandRequest {
  /** Run by bash, or by `/bin/sh` if bash is not installed, inside the sandbox. Without one only an exact match of `allowed` runs, without a shell. */
  readonly command: string;
  readonly cwd: string;
  /** Folders that it may write; everything else is read-only, secrets unreadable. */
  readonly writable: readonly string[];
  /** Folders that it may read although they lie in a place that is denied, its session's spool for instance. None may hold a writable one. */
  readonly readable?: readonly string[];
  /**
   * Whose private home it gets: what the agent leaves in its own cannot reach the engine's verify commands, nor who judges it.
   * `reader`: an agent that may only read the clone, which is where its commands run.
   */
  readonly home: 'agent' | 'engine' | 'reader';
  /** Absent: the command has a temp folder of its own, which is removed with its end. */
  readonly session?: CommandSession;
  /** Output of more bytes is kept as a file of the session, too. Absent: none is. */
  readonly keepOver?: number | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly network: 'none' | 'registries';
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** argv lists that may run unconfined. */
  readonly allowed: readonly (readonly string[])[];
  /** The steward approved exactly this command text: it may run unconfined. */
  readonly approved: boolean;
  readonly signal: AbortSignal;
}

export interface CommandResult {
  readonly exitCode: number | null;
  /** null: ran to its end. `refused`: no sandbox and not allowed, nothing ran. */
  readonly ended: null | 'timeout' | 'output' | 'processes' | 'aborted' | 'refused' | 'failed_to_start';
  /** stdout and stderr as they came, the middle cut out when too long, control characters kept. */
  readonly output: string;
  /** What the output does not show and its reader should know, one sentence each. Absent: nothing. */
  readonly notes?: readonly string[];
  /** File with the output as it came. `isWhole`: false if the file holds only its beginning. */
  readonly kept?: { readonly path: string; readonly bytes: number; readonly isWhole: boolean } | undefined;
  readonly durationMs: number;
  readonly sandboxed: boolean;
}

/** A program that talks over its stdin and stdout for as long as a session lasts: another agent. */
export interface InteractiveRequest
  extends Pick<CommandRequest, 'cwd' | 'writable' | 'readable' | 'env' | 'allowed' | 'approved' | 'signal'> {
  /** The first word is looked up on the PATH outside of what it may write; run without a shell. */
  readonly argv: readonly [string, ...string[]];
  /** Written into its private home before it starts; removed with it where `secret`. Path from the home, and content. */
  readonly files: readonly { readonly path: string; readonly content: string; readonly secret: boolean }[];
  /** Places that it may not read although they lie where it may; they are there, and no links. Kept only in the sandbox. */
  readonly hidden?: readonly string[];
  /** A port of this machine's 127.0.0.1 that it reaches under the same address; null: none. */
  readonly localPort: number | null;
  /** `host:port` entries that it may reach. */
  readonly hosts: readonly string[];
  /** What it may print in all before it is ended, bytes. */
  readonly maxBytes: number;
}

export interface InteractiveProcess {
  readonly sandboxed: boolean;
  /** Of its own, kept for the next command of the same clone. */
  readonly home: string;
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  /** The end of what it said on stderr. */
  complaints(): string;
  /** Never rejects. */
  readonly ended: Promise<Pick<CommandResult, 'exitCode' | 'ended'>>;
  /** Resolves when it and all that it started are gone. */
  end(): Promise<void>;
}

/** A command that stays in the background of its session. It runs in the sandbox alone, without network. */
export interface BackgroundRequest
  extends Pick<CommandRequest, 'command' | 'cwd' | 'writable' | 'readable' | 'home' | 'env' | 'signal'> {
  readonly session: CommandSession;
}

export interface BackgroundCommand {
  /** Null while it runs, or something that it started. */
  readonly end: (Pick<CommandResult, 'exitCode' | 'ended'> & { readonly notes: readonly string[] }) | null;
  /** What it printed since the last call, the middle cut out when too long. */
  take(): string;
  /** File with its output so far. */
  whole(): CommandResult['kept'];
  /** Resolves when it prints something, or has ended. */
  changed(): Promise<void>;
  /** Resolves when it and all that it started are gone. */
  stop(): Promise<void>;
}

export interface NotInteractive {
  readonly ended: 'refused' | 'failed_to_start' | 'aborted';
  readonly why: string;
}

export interface CommandRunner {
  /** As `run`, but it stays. Without a sandbox only what is allowed or approved starts. */
  converse(request: InteractiveRequest): Promise<InteractiveProcess | NotInteractive>;
  /** Probes once by trying to escape, then remembers. */
  sandbox(): Promise<SandboxState>;
  openSession(): CommandSession;
  /**
   * Starts a command and returns at once. Later commands of the session reach its ports on 127.0.0.1 if `CommandSession.sharesNetwork`.
   * Without a sandbox nothing is started.
   */
  start(request: BackgroundRequest): Promise<BackgroundCommand | NotInteractive>;
  run(request: CommandRequest): Promise<CommandResult>;
}
