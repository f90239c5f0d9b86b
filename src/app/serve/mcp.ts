/** Serves the tools of a workspace by MCP over this process's streams. */
import type { Readable, Writable } from 'node:stream';
import { serveMcp } from '../../adapters/mcp/serveMcp.ts';
import { callMainTool } from '../../engine/main/mainTools.ts';
import type { Engine } from '../../engine/state/api.ts';
import type { Clock } from '../../shared/clock.ts';

export interface McpServerOptions {
  readonly version: string;
  readonly clock: Clock;
  readonly input: Readable;
  readonly output: Writable;
  /** Connects to the current engine. */
  reach(): Promise<Engine>;
  failed(thrown: unknown): void;
}

/**
 * Resolves when the client has disconnected, or when the signal aborts. Callers here cannot read a project's memory.
 */
export async function serveTools(options: McpServerOptions, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  const serving = serveMcp({
    ...options,
    call: async (name, input) => {
      const { state, request } = await options.reach();
      return callMainTool({ state, request, clock, readMemory: null }, name, input);
    },
  });
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([serving.ended, stopped]);
  await serving.close();
}
