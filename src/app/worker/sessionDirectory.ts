/**
 * Prepares a session's folder: the spool through which its commands reach the engine, and the environment that points
 * to it.
 */
import { delimiter, join } from 'node:path';
import type { SessionMcp } from '../../adapters/mcp/sessionMcp.ts';
import { rm } from '../../adapters/platform/heldFiles.ts';
import { ownEnvironment } from '../../adapters/platform/platform.ts';
import { sessionWords } from '../../adapters/shell/session/sessionWords.ts';
import { openSpool, type Spool, type SpoolHandler, type SpoolReply } from '../../adapters/shell/session/spool.ts';
import type { OurTool } from '../../engine/agent/ports.ts';
import type { SessionDirectory, SessionVerbs } from '../../engine/session/sessionDirectory.ts';
import type { Clock } from '../../shared/clock.ts';

interface PlaceOptions {
  readonly clock: Clock;
  /** The project folder for the session's commands: the clone they run in. */
  readonly workdir: string;
  readonly jobDir: string;
  readonly sessionId: number;
  readonly verbs: SessionVerbs;
  readonly tools?: readonly OurTool[];
}

/** A report commits the tree first. Agents usually wait a minute for a tool. */
const TOOL_SECONDS = 55;
const MCP_PATIENCE_MS = 50_000;
const CONNECTION = /^[A-Za-z0-9]{6,64}$/;

interface Mcp {
  readonly answer: SpoolHandler;
  close(): Promise<void>;
}

/**
 * `mcp CONNECTION LINE`, and `mcp CONNECTION` after the last line. Loaded with the first line: most sessions send none.
 */
function mcpWords(clock: Clock, tools: readonly OurTool[]): Mcp {
  let opened: Promise<SessionMcp> | null = null;
  const load = async (): Promise<SessionMcp> => {
    const { openSessionMcp } = await import('../../adapters/mcp/sessionMcp.ts');
    return openSessionMcp({ clock, tools, patienceMs: MCP_PATIENCE_MS });
  };
  const said = (stdout: string): SpoolReply => ({ exitCode: 0, stdout, stderr: '' });
  return {
    answer: async ([, connection = '', line]) => {
      if (!CONNECTION.test(connection)) return { exitCode: 2, stdout: '', stderr: 'autonomous: mcp takes no words\n' };
      opened ??= load();
      const mcp = await opened;
      if (line !== undefined) return said(await mcp.hear(connection, line));
      await mcp.end(connection);
      return said('');
    },
    close: async () => {
      await (await opened)?.close();
    },
  };
}

/** The folder is created with the first command: many sessions run none. */
export function openPlace(options: PlaceOptions): SessionDirectory {
  const { clock, tools, verbs } = options;
  const folder = join(options.jobDir, 'spool', String(options.sessionId));
  const mcp = tools === undefined ? null : mcpWords(clock, tools);
  const words = tools === undefined ? (argv: string[]) => verbs(argv) : sessionWords(tools, verbs);
  const handle: SpoolHandler = (argv) => (mcp !== null && argv[0] === 'mcp' ? mcp.answer(argv) : words(argv));
  let opened: Promise<Spool> | null = null;
  return {
    enter: async () => {
      opened ??= openSpool(folder, handle, { clock, ...(tools === undefined ? {} : { seconds: TOOL_SECONDS }) });
      const spool = await opened;
      return {
        writable: spool.writable,
        readable: spool.readable,
        bin: spool.bin,
        env: {
          PATH: [spool.bin, ownEnvironment()['PATH'] ?? '/usr/bin:/bin'].join(delimiter),
          // Names of seed 003. For a session, the clone is the project: it cannot see the repository.
          AUTONOMOUS_PROJECT_DIR: options.workdir,
          AUTONOMOUS_SESSION_ID: String(options.sessionId),
          AUTONOMOUS_TEMPLATE_DIR: spool.bin,
        },
      };
    },
    close: async () => {
      if (opened === null) return;
      // Pending tool calls are answered first: the spool answers every request that it took before it closes.
      await mcp?.close();
      await (await opened).close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
