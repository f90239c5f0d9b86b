/**
 * Declares the command runner: for the agent's, verify and setup commands, and for external agents. Implemented in
 * `adapters/shell`.
 */

export type SandboxState =
  | { readonly mode: 'sandboxed'; readonly detail: string }
  /** `missing` names what to install or change, one sentence each. */
  | { readonly mode: 'unconfined'; readonly detail: string; readonly missing: readonly string[] };

/** The shared resources of one session's commands. */
export interface CommandSession {
  /** Folder that each of them has as `$TMPDIR`. */
  readonly tmp: string;
  /** Folder of whole outputs. They can read it, and not write it. */
  readonly output: string;
  /** The shell that runs the commands. */
  readonly shell: 'bash' | 'sh' | 'pwsh' | 'cmd';
  /** Whether they share one network since the first of them was started in the background. */
  sharesNetwork(): boolean;
  /** Removes it. No command of the session may run. */
  close(): Promise<void>;
}

export interface CommandRequest {
  /** Run by the session's shell, inside the sandbox. Without one only an exact match of `allowed` runs, without a shell. */
  readonly command: string;
  readonly cwd: string;
  /** Folders that it may write; everything else is read-only, secrets unreadable. */
  readonly writable: readonly string[];
  /** Readable folders inside of a denied path, for example the session's spool. None may contain a writable one. */
  readonly readable?: readonly string[];
  /**
   * The private home of the command: files in the agent's home reach neither the engine's verify commands nor the reviewer.
   * `reader`: an agent that may only read the clone, which is where its commands run.
   */
  readonly home: 'agent' | 'engine' | 'reader';
  /** If absent, the command has a separate temp folder, which is removed at its end. */
  readonly session?: CommandSession;
  /** Size in bytes from which the output is also stored as a file of the session. If absent, no file is stored. */
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
  /** Null if the command ran to its end. `refused`: no sandbox and not allowed, so it did not run. */
  readonly ended: null | 'timeout' | 'output' | 'processes' | 'aborted' | 'refused' | 'failed_to_start';
  /** stdout and stderr as they came, the middle cut out when too long, control characters kept. */
  readonly output: string;
  /** Notices for the reader that the output does not contain, one sentence each. */
  readonly notes?: readonly string[];
  /** File with the output as it came. `isWhole`: false if the file holds only its beginning. */
  readonly kept?: { readonly path: string; readonly bytes: number; readonly isWhole: boolean } | undefined;
  readonly durationMs: number;
  readonly sandboxed: boolean;
}

/** A program that talks over its stdin and stdout for as long as a session lasts: another agent. */
export interface InteractiveRequest
  extends Pick<CommandRequest, 'cwd' | 'writable' | 'readable' | 'env' | 'allowed' | 'approved' | 'signal'> {
  /** The first word is looked up on the PATH outside of its writable folders; run without a shell. */
  readonly argv: readonly [string, ...string[]];
  /** Written into its private home before it starts; removed with it where `secret`. Path from the home, and content. */
  readonly files: readonly { readonly path: string; readonly content: string; readonly secret: boolean }[];
  /** Unreadable paths inside of readable folders. They exist and are not links. Enforced only in the sandbox. */
  readonly hidden?: readonly string[];
  /** A port of this machine's 127.0.0.1 that it reaches under the same address. Null for none. */
  readonly localPort: number | null;
  /** `host:port` entries that it may reach. */
  readonly hosts: readonly string[];
  /** Maximum total output in bytes, after which it is terminated. */
  readonly maxBytes: number;
}

export interface InteractiveProcess {
  readonly sandboxed: boolean;
  /** A private home, kept for the next command of the same clone. */
  readonly home: string;
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  /** The end of its stderr. */
  complaints(): string;
  /** Never rejects. */
  readonly ended: Promise<Pick<CommandResult, 'exitCode' | 'ended'>>;
  /** Resolves when it and all its child processes have ended. */
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
  /** Output since the last call, with the middle omitted if it is too long. */
  take(): string;
  /** File with its output so far. */
  whole(): CommandResult['kept'];
  /** Resolves when it prints something, or has ended. */
  changed(): Promise<void>;
  /** Resolves when it and all its child processes have ended. */
  stop(): Promise<void>;
}

export interface NotInteractive {
  readonly ended: 'refused' | 'failed_to_start' | 'aborted';
  readonly why: string;
}

export interface CommandRunner {
  /** Like `run`, but the command stays. Without a sandbox only an allowed or approved command starts. */
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
