/** Declares the environment of a session's commands. Types only. */

/** The environment of a session's commands, and their writable folder. */
export interface SessionDirectory {
  /** Called before each command; creates the folder once. */
  enter(): Promise<{
    readonly env: Readonly<Record<string, string>>;
    readonly writable: readonly string[];
    readonly readable: readonly string[];
    /** Folder of the `autonomous` that answers for this session; `autonomous mcp` there is an MCP server over stdio. */
    readonly bin: string;
  }>;
  close(): Promise<void>;
}

/** Answers the three verbs of seed 003 for a session's commands. */
export type SessionVerbs = (argv: readonly string[]) => Promise<{
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}>;
