/** Serves a project's conversation as an ACP agent over this process's streams. */
import type { Readable, Writable } from 'node:stream';
import { serveAcp } from '../../adapters/acp/serveAcp.ts';
import type { ProjectConversation } from '../../shared/project/projectConversation.ts';

interface AcpServerOptions {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly talk: ProjectConversation;
  failed(thrown: unknown): void;
}

/** Resolves when the editor has disconnected, or when the signal aborts. */
export async function serveProject(options: AcpServerOptions, signal: AbortSignal): Promise<void> {
  const serving = serveAcp(options);
  const close = (): void => serving.close();
  if (signal.aborted) close();
  signal.addEventListener('abort', close, { once: true });
  await serving.ended;
}
