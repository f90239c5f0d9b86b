/** Probes an agent: starts it, reads its handshake, and ends it. */
import { client } from '@agentclientprotocol/sdk';
import type { AgentNames } from '../../core/agent/agentFaults.ts';
import type { InteractiveProcess } from '../../engine/session/commandPorts.ts';
import type { AgentProbe } from '../../shared/agent/executors.ts';
import type { Clock } from '../../shared/clock.ts';
import { openAgentConnection } from './agentConnection.ts';
import { shakeHands } from './handshake.ts';

interface ProbeOptions {
  readonly clock: Clock;
  /** Version of Autonomous. */
  readonly version: string;
  readonly names: AgentNames;
  readonly command: InteractiveProcess;
  readonly signal: AbortSignal;
}

const ANSWER_MS = 30_000;

/**
 * Throws AGENT_VERSION, AGENT_UNUSABLE, AGENT_DIED, AGENT_SILENT. Its process and children have ended when this
 * resolves.
 */
export async function probeAcp(
  options: ProbeOptions,
): Promise<Pick<AgentProbe, 'version' | 'protocol' | 'can' | 'lacks'>> {
  const { clock, names, command, version, signal } = options;
  const nothing = (): void => undefined;
  const talk = openAgentConnection({ clock, names, command, app: client(), sign: nothing, told: nothing });
  try {
    const hello = await talk.inTime(ANSWER_MS, signal, () => shakeHands(talk.agent, names, { version, works: false }));
    const { loadSession = false, sessionCapabilities, mcpCapabilities } = hello.agentCapabilities ?? {};
    const resumes = loadSession || (sessionCapabilities?.resume ?? null) !== null;
    // Every agent should accept a server over stdio; this is known of those that announce other kinds.
    const takesServers = mcpCapabilities?.http === true || mcpCapabilities?.sse === true;
    return {
      version: hello.agentInfo?.version ?? null,
      protocol: hello.protocolVersion,
      can: ['asks permission', ...(takesServers ? ['MCP'] : []), ...(resumes ? ['resumes'] : [])],
      lacks: resumes ? [] : ['resumes'],
    };
  } finally {
    await talk.close();
  }
}
