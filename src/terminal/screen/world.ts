/** Everything that the terminal has of the outside world. `app/` implements it; tests have their own. */
import type { Engine } from '../../engine/state/api.ts';
import type { Workspaces } from '../../engine/workspace/workspace.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ProjectConversation } from '../../shared/project/projectConversation.ts';

export interface TerminalIo {
  out(text: string): void;
  err(text: string): void;
  /** Whether `out` is a terminal that understands cursor movement (not so with TERM=dumb). */
  readonly isTTY: boolean;
  readonly stdinIsTTY: boolean;
  /** Size of the terminal now: read at each drawing. */
  readonly columns: number;
  readonly rows: number;
  /** False when NO_COLOR is set or `out` is not a terminal. */
  readonly color: boolean;
  /**
   * Reads one line without its end. Null if the input ended. Rejects with the signal's reason when it aborts. Ctrl-C at the question is a stop signal
   * like any other (`signals`), not an end of the input.
   */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
  /**
   * Lines of a person, while others write above the one that is being typed. Ctrl-C calls `interrupted`, and is a stop signal, as for
   * `ask`, if that returns false.
   */
  talk(prompt: string, interrupted: () => boolean): LineDialog;
  readStdin(): Promise<string>;
  readFile(path: string): Promise<string>;
  writeFile(path: string, text: string): Promise<void>;
  /** Opens a text in the user's editor. Null if there is no editor or no terminal. `name` ends in the file's extension. */
  edit(text: string, name: string): Promise<string | null>;
}

export interface LineDialog {
  /** The next line without its end; null when the input ended, or it was closed. */
  next(): Promise<string | null>;
  /** Visible text, maybe of several lines and coloured. */
  say(text: string): void;
  close(): void;
}

export interface McpServing {
  /** Returns the current engine. */
  reach(): Promise<Engine>;
  /** Reports a failure that the client does not see. */
  failed(thrown: unknown): void;
}

export interface AcpServing {
  readonly talk: ProjectConversation;
  /** Reports a failure that the editor does not see. */
  failed(thrown: unknown): void;
}

export interface TerminalDeps {
  readonly io: TerminalIo;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly version: string;
  /** SIGINT and SIGTERM, counted from 1. Returns a function that stops listening. */
  readonly signals: { onStop(run: (times: number) => void): () => void };
  readonly workspaces: Workspaces;
  /** The main agent's tools as an MCP server on this process's streams; resolves when the client has gone or `signal` aborts. */
  serveMcp(serving: McpServing, signal: AbortSignal): Promise<void>;
  /** A project as an ACP agent on this process's streams; resolves when the editor has gone or `signal` aborts. */
  serveAcp(serving: AcpServing, signal: AbortSignal): Promise<void>;
}
