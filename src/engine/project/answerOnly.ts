/** Runs a session that only answers in text: it has no commands, no checkpoints and no live lines. */
import type { SessionPorts, SessionResult, SessionSpec } from '../session/ports.ts';
import { openSession } from '../session/session.ts';
import { noteTools } from './noteTools.ts';
import type { ConversationPorts } from './talk/conversationPorts.ts';

export function answerOnly(
  ports: Pick<ConversationPorts, 'store' | 'clock' | 'gatewayFetch' | 'openTree'>,
  spec: SessionSpec,
  of: Pick<SessionPorts, 'sessionId' | 'workdir' | 'transcript' | 'limits' | 'signal'>,
): Promise<SessionResult> {
  return openSession(spec, {
    ...of,
    fetch: ports.gatewayFetch(of.sessionId),
    files: ports.openTree(of.workdir),
    commands: { run: async () => ({ exitCode: null, ended: 'refused', output: 'this session runs no commands' }) },
    sessionTools: noteTools(ports, of.sessionId),
    clock: ports.clock,
    checkpoint: async () => null,
    restore: async () => undefined,
    live: () => undefined,
  }).run();
}
